// Calls that mark where a program goes from whole arrays to the parts of one
// device and back. Source: the calls of GSPMD that hlo/transforms/spmd/ reads.
#ifndef XLA_HLO_BUILDER_SPMD_SHAPES_H_
#define XLA_HLO_BUILDER_SPMD_SHAPES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class XlaBuilder;

// Returns a device's part of `input` under `manual_sharding`, cut in dimension
// `single_dim` alone or, if that is negative, in all. The partitioner chooses
// the sharding of `unspecified_dims`. Errors: spmd_shape_c1, and those of the
// builder.
absl::StatusOr<XlaOp> ConvertSpmdFullToShardShape(
    XlaBuilder* builder, XlaOp input, int single_dim,
    const OpSharding& manual_sharding,
    absl::Span<const int64_t> unspecified_dims);

// Returns the whole array, of shape `output_shape`, of which `input` is a
// device's part.
absl::StatusOr<XlaOp> ConvertSpmdShardToFullShape(
    XlaBuilder* builder, XlaOp input, const Shape& output_shape, int single_dim,
    const OpSharding& manual_sharding,
    absl::Span<const int64_t> unspecified_dims);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_SPMD_SHAPES_H_
