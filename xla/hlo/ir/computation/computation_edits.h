// ComputationEdits: the part of HloComputation that removes and replaces
// instructions, and copies values.
#ifndef XLA_HLO_IR_COMPUTATION_COMPUTATION_EDITS_H_
#define XLA_HLO_IR_COMPUTATION_COMPUTATION_EDITS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/shape_index.h"

namespace xla {

class HloComputation;
class HloInstruction;
template <typename T>
class ShapeTree;

// Nothing here changes schedules.
class ComputationEdits {
 public:
  // Finds the instructions that call a computation.
  using Callers =
      absl::FunctionRef<std::vector<HloInstruction*>(const HloComputation*)>;

  // Whether it has no control edges, unless they are ignored, and, of a
  // parameter, whether all callers could lose the operand: those of a fusion,
  // and those that `computation_callers` finds if they are fusions, calls and
  // async-starts. Parameters of the entry are not unless the caller says so,
  // who must keep the entry's layout right.
  bool IsSafelyRemovable(
      const HloInstruction* instruction, bool ignore_control_dependency = false,
      std::optional<Callers> computation_callers = std::nullopt,
      bool remove_dead_parameters_from_entry_computation = false) const;

  // Removes an instruction without users and control edges that is not the root
  // or a parameter of an entry computation (FailedPrecondition otherwise). It
  // keeps its memory until Cleanup, without operands, parent and literal. Force
  // also removes parameters of the entry.
  absl::Status RemoveInstruction(HloInstruction* instruction);
  absl::Status ForceRemoveInstruction(HloInstruction* instruction);
  // Like RemoveInstruction, and then removes every operand that is left without
  // users and has no side effect, transitively, if IsSafelyRemovable; with a
  // parameter goes the operand of the callers. Calls `cleanup` before each.
  // Control edges that are ignored are replaced by edges around what goes.
  absl::Status RemoveInstructionAndUnusedOperands(
      HloInstruction* instruction,
      std::optional<absl::FunctionRef<void(HloInstruction*)>> cleanup =
          std::nullopt,
      bool ignore_control_dependencies = false,
      std::optional<Callers> computation_callers = std::nullopt,
      bool remove_dead_parameters_from_entry_computation = false);
  // Frees what was removed; no loop over instructions() may be at one.
  void Cleanup();
  bool IsMarkedAsDead(const HloInstruction* instruction) const;

  // Replace all uses, also as root, and remove the old instruction with its
  // unused operands. The new one gets the metadata, frontend attributes,
  // sharding and original value that it lacks. Control edges are dropped; a
  // parameter stays. Errors: InvalidArgument for shapes that are not
  // compatible.
  absl::Status ReplaceInstruction(HloInstruction* old_instruction,
                                  HloInstruction* new_instruction);
  absl::Status ReplaceWithNewInstruction(
      HloInstruction* old_instruction,
      std::unique_ptr<HloInstruction> new_instruction);
  // The same as XLA does it: the new instruction also gets the name of one of
  // its op. Return false, without an effect, for two shardings that differ
  // if `preserve_sharding`, and for an old instruction with control edges
  // unless they are relayed to the new one.
  absl::StatusOr<bool> ReplaceInstruction(HloInstruction* old_instruction,
                                          HloInstruction* new_instruction,
                                          bool preserve_sharding,
                                          bool relay_control_dependency = false,
                                          bool remove_unused_operands = true);
  absl::StatusOr<bool> ReplaceInstructionWithDifferentShape(
      HloInstruction* old_instruction, HloInstruction* new_instruction,
      bool preserve_sharding, bool relay_control_dependency = false,
      bool remove_unused_operands = true);
  absl::Status ReplaceInstructionWithDifferentShape(
      HloInstruction* old_instruction, HloInstruction* new_instruction);

  // Returns the value with a copy of each array, or of those that the tree
  // says, taken apart to arrays and put together again; `copies_added` gets the
  // copies at their places. Errors: FailedPrecondition for an instruction of
  // another computation, or a tree of another shape.
  absl::StatusOr<HloInstruction*> DeepCopyInstruction(
      HloInstruction* instruction,
      const ShapeTree<bool>* indices_to_copy = nullptr,
      ShapeTree<HloInstruction*>* copies_added = nullptr);
  // With what `copy_leaf` makes of each array; tokens stay.
  using LeafCopier = absl::FunctionRef<HloInstruction*(
      HloInstruction* leaf, const ShapeIndex& leaf_index,
      HloComputation* computation)>;
  absl::StatusOr<HloInstruction*> DeepCopyInstructionWithCustomCopier(
      HloInstruction* instruction, LeafCopier copy_leaf);

 protected:
  ~ComputationEdits() = default;

 private:
  absl::Status Remove(HloInstruction* instruction);
  absl::Status RemoveWithOperandsOfCallers(
      std::vector<HloInstruction*> parameters, std::optional<Callers> callers,
      std::optional<absl::FunctionRef<void(HloInstruction*)>> cleanup,
      bool ignore_control_dependencies);
  const HloComputation& self() const;
  HloComputation& self();
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_COMPUTATION_EDITS_H_
