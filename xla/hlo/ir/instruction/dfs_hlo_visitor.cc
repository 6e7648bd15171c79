// Walks in an order of operands that the caller chooses.
#include "xla/hlo/ir/instruction/dfs_hlo_visitor.h"

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

absl::Status HloInstruction::AcceptWithOperandOrder(
    DfsHloVisitor* visitor, internal::OperandOrder operand_order,
    bool call_finish_visit) {
  TF_RETURN_IF_ERROR(internal::VisitBelow(this, visitor,
                                          /*ignore_control_predecessors=*/false,
                                          operand_order));
  if (call_finish_visit) return visitor->FinishVisit(this);
  return absl::OkStatus();
}

absl::Status HloComputation::AcceptWithOperandOrder(
    DfsHloVisitor* visitor, internal::OperandOrder operand_order) const {
  for (HloInstruction* end : internal::Ends(*this)) {
    TF_RETURN_IF_ERROR(
        end->AcceptWithOperandOrder(visitor, operand_order,
                                    /*call_finish_visit=*/false));
  }
  return visitor->FinishVisit(root_instruction());
}

}  // namespace xla
