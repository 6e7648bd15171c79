// Ops that call computations, and tokens, which only order ops. All functions:
// errors are kept in the builder. Sources: sections "Call", "While",
// "Conditional", "AfterAll", "OptimizationBarrier".
#ifndef XLA_HLO_BUILDER_OPS_CONTROL_FLOW_H_
#define XLA_HLO_BUILDER_OPS_CONTROL_FLOW_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/xla_op.h"

namespace xla {

class XlaBuilder;

XlaOp Call(XlaBuilder* builder, const CalledComputation& computation,
           absl::Span<const XlaOp> operands);
// Adds a call marked as the decomposition of the op `name`. Errors:
// composite_call_c1 to composite_call_c3.
XlaOp CompositeCall(XlaBuilder* builder, const CalledComputation& computation,
                    absl::Span<const XlaOp> operands, const std::string& name,
                    std::optional<absl::string_view> attributes = std::nullopt,
                    std::optional<int64_t> version = std::nullopt);

XlaOp While(const CalledComputation& condition, const CalledComputation& body,
            XlaOp init);

XlaOp Conditional(XlaOp predicate, XlaOp true_operand,
                  const CalledComputation& true_computation,
                  XlaOp false_operand,
                  const CalledComputation& false_computation);
// Takes the branch of an s32[] index, the last one if it is out of range; for a
// pred[], branch 0 if true.
XlaOp Conditional(XlaOp branch_index,
                  absl::Span<const XlaComputation* const> branch_computations,
                  absl::Span<const XlaOp> branch_operands);
XlaOp Conditional(XlaOp branch_index,
                  absl::Span<const XlaComputationId> branch_computations,
                  absl::Span<const XlaOp> branch_operands);

XlaOp OptimizationBarrier(XlaOp operand);

// Make a token that depends on nothing, and one that joins `tokens`.
XlaOp CreateToken(XlaBuilder* builder);
XlaOp AfterAll(XlaBuilder* builder, absl::Span<const XlaOp> tokens);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_CONTROL_FLOW_H_
