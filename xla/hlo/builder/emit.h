// How the functions in ops/ add their ops: errors to the builder, never to the
// caller. Not for clients.
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

// The builder of the first op that has one, else null.
XlaBuilder* BuilderOf(absl::Span<const XlaOp> ops);

// What `make` gives, or an invalid op if the builder has an error already or
// gets one. Without a builder an op that is not of any.
XlaOp Emit(XlaBuilder* builder,
           absl::FunctionRef<absl::StatusOr<XlaOp>(XlaBuilder&)> make);

// One op with at least one operand.
XlaOp EmitOp(HloOpcode opcode, absl::Span<const XlaOp> operands,
             Attrs attrs = {},
             absl::Span<const CalledComputation> computations = {},
             const Shape* declared = nullptr);

// `op` if the builder has no error: ends what was made of free functions.
absl::StatusOr<XlaOp> Done(const XlaBuilder& builder, XlaOp op);

// The operands of several spans, in order.
std::vector<XlaOp> Joined(
    std::initializer_list<absl::Span<const XlaOp>> operands);

}  // namespace builder_internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_EMIT_H_
