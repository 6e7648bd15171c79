// Ops that give the elements of an array another shape, and ops on the sizes of
// dynamic dimensions. The builder keeps errors of all functions.
#ifndef XLA_HLO_BUILDER_OPS_RESHAPE_H_
#define XLA_HLO_BUILDER_OPS_RESHAPE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_op.h"

namespace xla {

// [b...] -> [broadcast_sizes..., b...]. Source: section "Broadcast".
XlaOp Broadcast(XlaOp operand, absl::Span<const int64_t> broadcast_sizes);
// Operand dimension i, of the same size or of size 1, becomes dimension
// broadcast_dimensions[i] of the result; they must strictly increase. Errors:
// broadcast_in_dim_c1 to _c4. Source: section "BroadcastInDim".
XlaOp BroadcastInDim(XlaOp operand, absl::Span<const int64_t> out_dim_size,
                     absl::Span<const int64_t> broadcast_dimensions);
// Like BroadcastInDim to sizes that an operand gives: a custom call of that
// name that only exporters understand. Errors: mhlo_dynamic_broadcast_c1 to
// _c4.
XlaOp MhloDynamicBroadcastInDim(XlaOp operand, XlaOp output_dimensions,
                                absl::Span<const int64_t> broadcast_dimensions,
                                const Shape& output_shape);

// Keep the elements in row-major order under new sizes. The form with
// `dimensions` first permutes the dimensions into that order. The form with a
// shape uses only its sizes. Source: section "Reshape".
XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> new_sizes);
XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> dimensions,
              absl::Span<const int64_t> new_sizes);
XlaOp Reshape(const Shape& shape, XlaOp operand);
// Dimension `inferred_dimension` of the result absorbs dynamic sizes.
XlaOp ReshapeWithInferredDimension(XlaOp operand,
                                   absl::Span<const int64_t> new_sizes,
                                   int64_t inferred_dimension);
// The sizes at run time are s32[] operands; static dimensions must have their
// bounds.
XlaOp DynamicReshape(XlaOp operand, absl::Span<const XlaOp> dim_sizes,
                     absl::Span<const int64_t> new_size_bounds,
                     const std::vector<bool>& dims_are_dynamic);
// Errors: mhlo_dynamic_reshape_c1 to _c3.
XlaOp MhloDynamicReshape(XlaOp operand, XlaOp output_shape, const Shape& shape);
// Joins dimensions, which must be consecutive and in order, into one. Errors:
// collapse_c1, collapse_c2. Source: section "Collapse".
XlaOp Collapse(XlaOp operand, absl::Span<const int64_t> dimensions);

// Makes operand dimension permutation[i] result dimension i.
XlaOp Transpose(XlaOp operand, absl::Span<const int64_t> permutation);
XlaOp Rev(XlaOp operand, absl::Span<const int64_t> dimensions);

// Returns s32[]; a constant if the dimension is static.
XlaOp GetDimensionSize(XlaOp operand, int64_t dimension);
XlaOp SetDimensionSize(XlaOp operand, XlaOp val, int64_t dimension);
// Returns the operand with that dimension static at its bound.
XlaOp RemoveDynamicDimension(XlaOp operand, int64_t dimension);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_RESHAPE_H_
