// The broadcasts and reshapes that make operands fit each other, which HLO
// itself does not do. Not for clients.
#ifndef XLA_HLO_BUILDER_IMPLICIT_BROADCAST_H_
#define XLA_HLO_BUILDER_IMPLICIT_BROADCAST_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/builder/xla_op.h"

namespace xla {
namespace builder_internal {

// The other operand of a broadcast: its dimension i is dimension mapping[i] of
// the target, whose dynamic sizes it knows.
struct SizeSource {
  XlaOp op;
  std::vector<int64_t> mapping;
};

// Returns `operand` in the dimensions of `target`: its dimension i becomes
// dimension mapping[i], grown if its size is 1; the result has the operand's
// element type. Returns `operand` itself if it has those dimensions. Sizes of
// dynamic dimensions come from `source`; without it, they are as the target
// states. Errors: Unimplemented where no operand has the size.
absl::StatusOr<XlaOp> BroadcastTo(XlaBuilder& builder, XlaOp operand,
                                  const Shape& target,
                                  absl::Span<const int64_t> mapping,
                                  const SizeSource& source = {});

// Returns both operands in the dimensions that they broadcast to. Errors: rules
// implicit_broadcast_c*. Source: broadcasting document.
absl::StatusOr<std::pair<XlaOp, XlaOp>> BroadcastBoth(
    XlaBuilder& builder, XlaOp lhs, XlaOp rhs,
    absl::Span<const int64_t> broadcast_dimensions);

// Broadcasts scalars among `operands` to the dimensions of the first
// non-scalar. Errors: implicit_broadcast_c9.
absl::StatusOr<std::vector<XlaOp>> BroadcastScalars(
    XlaBuilder& builder, absl::Span<const XlaOp> operands);

// Returns the sizes, scalars of s32, as a vector.
XlaOp SizeVector(XlaBuilder& builder, absl::Span<const XlaOp> sizes);

// Returns 0, 1, ..., n - 1.
std::vector<int64_t> AllDimensions(int64_t n);

}  // namespace builder_internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_IMPLICIT_BROADCAST_H_
