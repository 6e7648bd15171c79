// Ops that read or write boxes and scattered slices of arrays, or join arrays.
// All functions: errors are kept in the builder.
#ifndef XLA_HLO_BUILDER_OPS_SLICING_H_
#define XLA_HLO_BUILDER_OPS_SLICING_H_

#include <cstdint>
#include <type_traits>

#include "absl/types/span.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class XlaBuilder;

// Source: sections "Pad", "Slice", "Concatenate".
XlaOp Pad(XlaOp operand, XlaOp padding_value,
          const PaddingConfig& padding_config);
// Leaves other dimensions alone. Errors: pad_in_dim_c1.
XlaOp PadInDim(XlaOp operand, XlaOp padding_value, int64_t dimno,
               int64_t pad_lo, int64_t pad_hi);
// Returns the elements start, start + stride, ... below limit of each
// dimension.
XlaOp Slice(XlaOp operand, absl::Span<const int64_t> start_indices,
            absl::Span<const int64_t> limit_indices,
            absl::Span<const int64_t> strides);
// Leaves other dimensions alone. Errors: slice_in_dim_c1.
XlaOp SliceInDim(XlaOp operand, int64_t start_index, int64_t limit_index,
                 int64_t stride, int64_t dimno);
XlaOp ConcatInDim(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                  int64_t dimension);

// Read and write a box at a position known at run time, moved inside the array
// where it would reach out. The position is a scalar per dimension; the form
// below takes one vector. Source: sections "DynamicSlice",
// "DynamicUpdateSlice".
XlaOp DynamicSlice(XlaOp operand, absl::Span<const XlaOp> start_indices,
                   absl::Span<const int64_t> slice_sizes);
XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update,
                         absl::Span<const XlaOp> start_indices);

namespace builder_internal {
XlaOp DynamicSliceAtVector(XlaOp operand, XlaOp start_indices,
                           absl::Span<const int64_t> slice_sizes);
XlaOp DynamicUpdateSliceAtVector(XlaOp operand, XlaOp update,
                                 XlaOp start_indices);
}  // namespace builder_internal

// These are templates so that {i}, a list of one scalar, is never a vector.
template <typename Op, std::enable_if_t<std::is_same_v<Op, XlaOp>, int> = 0>
XlaOp DynamicSlice(XlaOp operand, Op start_indices,
                   absl::Span<const int64_t> slice_sizes) {
  return builder_internal::DynamicSliceAtVector(operand, start_indices,
                                                slice_sizes);
}
template <typename Op, std::enable_if_t<std::is_same_v<Op, XlaOp>, int> = 0>
XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, Op start_indices) {
  return builder_internal::DynamicUpdateSliceAtVector(operand, update,
                                                      start_indices);
}

// Source: sections "Gather", "Scatter".
XlaOp Gather(XlaOp input, XlaOp start_indices,
             const GatherDimensionNumbers& dimension_numbers,
             absl::Span<const int64_t> slice_sizes,
             bool indices_are_sorted = false);
XlaOp Scatter(XlaOp input, XlaOp scatter_indices, XlaOp updates,
              const CalledComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              bool indices_are_sorted = false, bool unique_indices = false);
// Takes several inputs with as many updates; returns a tuple if there are more
// than one.
XlaOp Scatter(absl::Span<const XlaOp> inputs, XlaOp scatter_indices,
              absl::Span<const XlaOp> updates,
              const CalledComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              bool indices_are_sorted = false, bool unique_indices = false);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_SLICING_H_
