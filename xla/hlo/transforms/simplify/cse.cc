// Finds equal instructions by hash, in one sweep from operands to users.
#include "xla/hlo/transforms/simplify/cse.h"

#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/side_effects.h"

namespace xla {
namespace {

// Hashes an instruction. Attributes are compared in full, so that a weak hash
// of them only costs time.
size_t HashOf(const HloInstruction& instruction) {
  size_t operands = 0;
  for (const HloInstruction* operand : instruction.operands()) {
    // A sum, so that the order of commuted operands does not matter.
    operands += absl::HashOf(operand);
  }
  return absl::HashOf(static_cast<int>(instruction.opcode()),
                      instruction.shape().element_type(), operands,
                      instruction.raw_attrs());
}

bool SameValue(const HloInstruction& a, const HloInstruction& b) {
  if (a.IdenticalUnder(b, std::equal_to<const HloInstruction*>(),
                       [](const HloComputation* p, const HloComputation* q) {
                         return p == q || p->Equal(*q);
                       })) {
    return true;
  }
  return a.def().commutative && a.opcode() == b.opcode() &&
         a.operand_count() == 2 && b.operand_count() == 2 &&
         a.operand(0) == b.operand(1) && a.operand(1) == b.operand(0) &&
         a.shape() == b.shape();
}

bool IsCandidate(const HloInstruction& instruction,
                 const ComputationSet& effects) {
  return instruction.opcode() != HloOpcode::kParameter &&
         !instruction.HasControlDependencies() &&
         !HasSideEffect(instruction, effects);
}

absl::StatusOr<bool> RunOnComputation(HloComputation* computation,
                                      const ComputationSet& effects) {
  bool changed = false;
  absl::flat_hash_map<size_t, std::vector<HloInstruction*>> seen;
  for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
    if (!IsCandidate(*instruction, effects)) continue;
    std::vector<HloInstruction*>& bucket = seen[HashOf(*instruction)];
    HloInstruction* first = nullptr;
    for (HloInstruction* candidate : bucket) {
      if (SameValue(*candidate, *instruction)) {
        first = candidate;
        break;
      }
    }
    if (first == nullptr) {
      bucket.push_back(instruction);
      continue;
    }
    TF_RETURN_IF_ERROR(instruction->ReplaceAllUsesWith(first));
    TF_RETURN_IF_ERROR(computation->RemoveInstruction(instruction));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> HloCSE::RunImpl(HloModule* module) {
  bool changed = false;
  ComputationSet effects;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    TF_ASSIGN_OR_RETURN(bool one, RunOnComputation(computation, effects));
    changed |= one;
    for (const auto& instruction : computation->instructions()) {
      if (!IsCandidate(*instruction, effects) &&
          instruction->opcode() != HloOpcode::kParameter) {
        effects.insert(computation);
        break;
      }
    }
  }
  return changed;
}

}  // namespace xla
