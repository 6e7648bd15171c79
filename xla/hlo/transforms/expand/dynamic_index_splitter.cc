// The start indices are the last operands.
#include "xla/hlo/transforms/expand/dynamic_index_splitter.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

absl::StatusOr<bool> DynamicIndexSplitter::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const bool is_slice = hlo->opcode() == HloOpcode::kDynamicSlice;
      if (!is_slice && hlo->opcode() != HloOpcode::kDynamicUpdateSlice) {
        continue;
      }
      const int64_t first = is_slice ? 1 : 2;
      if (hlo->operand_count() != first + 1 ||
          hlo->operand(first)->shape().rank() != 1) {
        continue;
      }
      HloBuilder emit(hlo);
      HloInstruction* indices = hlo->mutable_operand(first);
      std::vector<HloInstruction*> operands(hlo->operands().begin(),
                                            hlo->operands().end() - 1);
      for (int64_t d = 0; d < indices->shape().dimensions(0); ++d) {
        operands.push_back(emit.At(indices, d));
      }
      TF_RETURN_IF_ERROR(emit.ReplaceSource(computation->AddInstruction(
          hlo->CloneWithNewOperands(hlo->shape(), operands))));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
