// Removes dead instructions in one sweep from users to operands.
#include "xla/hlo/transforms/simplify/dce.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/ir/side_effects.h"

namespace xla {
namespace {

// Returns computations in which some instruction has a side effect, callees
// included.
ComputationSet ComputationsWithEffects(const HloModule& module) {
  ComputationSet effects;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& instruction : computation->instructions()) {
      if (HasSideEffect(*instruction, effects)) {
        effects.insert(computation);
        break;
      }
    }
  }
  return effects;
}

}  // namespace

absl::StatusOr<bool> HloDCE::RunImpl(
    HloModule* module, const ExecutionThreads& execution_threads) {
  const auto effects = ComputationsWithEffects(*module);
  bool changed = false;
  for (HloComputation* computation :
       module->MakeComputationPostOrder(execution_threads)) {
    auto is_dead = [&](const HloInstruction& instruction) {
      return instruction.user_count() == 0 && !instruction.IsRoot() &&
             instruction.opcode() != HloOpcode::kParameter &&
             !instruction.HasControlDependencies() &&
             !HasSideEffect(instruction, effects);
    };
    // Visit users first, so that one sweep is enough.
    std::vector<HloInstruction*> order =
        computation->MakeInstructionPostOrder();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (!is_dead(**it)) continue;
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(*it));
      changed = true;
    }
  }
  return module->RemoveUnreachableComputations() || changed;
}

}  // namespace xla
