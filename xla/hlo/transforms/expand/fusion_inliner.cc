// Callees first, as for calls.
#include "xla/hlo/transforms/expand/fusion_inliner.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {

absl::StatusOr<bool> FusionInliner::Run(HloModule* module) {
  bool changed = false;
  int64_t count = module->instruction_count();
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kFusion) continue;
      const HloComputation& fused = *hlo->fused_instructions_computation();
      count += fused.instruction_count();
      if (count > kMaxInstructionsAfterCopies) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "fusion-inliner: more than ", kMaxInstructionsAfterCopies,
            " instructions at ", hlo->name()));
      }
      const HloInstruction::InstructionVector arguments = hlo->operands();
      TF_RETURN_IF_ERROR(InlineCall(hlo, fused, arguments));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
