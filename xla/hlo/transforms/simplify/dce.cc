// Removes dead instructions in one sweep from users to operands.
#include "xla/hlo/transforms/simplify/dce.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// Computations in which some instruction has a side effect, callees included.
absl::flat_hash_set<const HloComputation*> ComputationsWithEffects(
    const HloModule& module) {
  absl::flat_hash_set<const HloComputation*> effects;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& instruction : computation->instructions()) {
      bool effect = instruction->HasSideEffectNoRecurse();
      for (const HloComputation* called : instruction->called_computations()) {
        effect |= effects.contains(called);
      }
      if (effect) {
        effects.insert(computation);
        break;
      }
    }
  }
  return effects;
}

}  // namespace

absl::StatusOr<bool> HloDCE::Run(HloModule* module) {
  const auto effects = ComputationsWithEffects(*module);
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    auto is_dead = [&](const HloInstruction& instruction) {
      if (instruction.user_count() > 0 || instruction.IsRoot() ||
          instruction.opcode() == HloOpcode::kParameter ||
          instruction.HasControlDependencies() ||
          instruction.HasSideEffectNoRecurse()) {
        return false;
      }
      for (const HloComputation* called : instruction.called_computations()) {
        if (effects.contains(called)) return false;
      }
      return true;
    };
    // Users first, so that one sweep is enough.
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
