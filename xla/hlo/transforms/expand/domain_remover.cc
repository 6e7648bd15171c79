// Replaces uses of a domain by its operand.
#include "xla/hlo/transforms/expand/domain_remover.h"

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

absl::StatusOr<bool> DomainRemover::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kDomain) continue;
      HloInstruction* operand = hlo->mutable_operand(0);
      TF_RETURN_IF_ERROR(BypassControlDependencies(hlo, operand));
      TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(operand));
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
      module->set_is_scheduled(false);
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
