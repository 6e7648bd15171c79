// Finds the side effects of all instructions of a module, callees included, in
// one walk from callees to callers.
#ifndef XLA_HLO_IR_SIDE_EFFECTS_H_
#define XLA_HLO_IR_SIDE_EFFECTS_H_

#include "absl/container/flat_hash_set.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

using ComputationSet = absl::flat_hash_set<const HloComputation*>;

// Answers HloInstruction::HasSideEffect without a walk: returns whether
// `instruction` has a side effect itself or calls one of `effects`, the callees
// that have side effects.
inline bool HasSideEffect(const HloInstruction& instruction,
                          const ComputationSet& effects) {
  if (instruction.HasSideEffectNoRecurse()) return true;
  for (const HloComputation* called : instruction.called_computations()) {
    if (effects.contains(called)) return true;
  }
  return false;
}

// Returns all instructions but parameters that have side effects or call
// computations that do.
inline absl::flat_hash_set<const HloInstruction*> InstructionsWithSideEffects(
    const HloModule& module) {
  absl::flat_hash_set<const HloInstruction*> effects;
  ComputationSet computations;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& hlo : computation->instructions()) {
      if (!HasSideEffect(*hlo, computations) ||
          hlo->opcode() == HloOpcode::kParameter) {
        continue;
      }
      effects.insert(hlo);
      computations.insert(computation);
    }
  }
  return effects;
}

}  // namespace xla

#endif  // XLA_HLO_IR_SIDE_EFFECTS_H_
