// The functions in ops/ add their ops with these: errors go to the builder,
// never to the caller. Not for clients.
#ifndef XLA_HLO_BUILDER_EMIT_H_
#define XLA_HLO_BUILDER_EMIT_H_

#include <initializer_list>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {
namespace builder_internal {

// Returns the builder of the first op that has one, else null.
XlaBuilder* BuilderOf(absl::Span<const XlaOp> ops);

// Returns the op that `make` makes, or an invalid op if the builder already has
// an error or gets one. Without a builder, returns an op that belongs to none.
XlaOp Emit(XlaBuilder* builder,
           absl::FunctionRef<absl::StatusOr<XlaOp>(XlaBuilder&)> make);

// Adds one op with at least one operand.
XlaOp EmitOp(HloOpcode opcode, absl::Span<const XlaOp> operands,
             Attrs attrs = {},
             absl::Span<const CalledComputation> computations = {},
             const Shape* declared = nullptr);

// Returns `op` unless the builder has an error: for code that called the client
// functions.
absl::StatusOr<XlaOp> Done(const XlaBuilder& builder, XlaOp op);

// Concatenates the operands of several spans.
std::vector<XlaOp> Joined(
    std::initializer_list<absl::Span<const XlaOp>> operands);

}  // namespace builder_internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_EMIT_H_
