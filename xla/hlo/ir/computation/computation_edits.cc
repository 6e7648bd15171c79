// Removes, replaces and copies instructions.
#include "xla/hlo/ir/computation/computation_edits.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_tree.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/debug/hlo_original_value_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

const HloComputation& ComputationEdits::self() const {
  return static_cast<const HloComputation&>(*this);
}
HloComputation& ComputationEdits::self() {
  return static_cast<HloComputation&>(*this);
}

// Removal --------------------------------------------------------------------

bool ComputationEdits::IsSafelyRemovable(
    const HloInstruction* instruction, bool ignore_control_dependency,
    std::optional<Callers> computation_callers,
    bool remove_dead_parameters_from_entry_computation) const {
  if (!ignore_control_dependency && instruction->HasControlDependencies()) {
    return false;
  }
  if (instruction->opcode() != HloOpcode::kParameter ||
      instruction->parent() == nullptr) {
    return true;
  }
  const HloComputation* parent = instruction->parent();
  if (parent->IsEntryComputation()) {
    if (!remove_dead_parameters_from_entry_computation) return false;
  } else if (parent->IsFusionComputation()) {
    return true;
  }
  if (!computation_callers.has_value()) return false;
  const std::vector<HloInstruction*> callers = (*computation_callers)(parent);
  if (callers.empty()) return parent->IsEntryComputation();
  return absl::c_all_of(callers, [](const HloInstruction* caller) {
    return caller->opcode() == HloOpcode::kFusion ||
           caller->opcode() == HloOpcode::kCall ||
           caller->opcode() == HloOpcode::kAsyncStart;
  });
}

absl::Status ComputationEdits::Remove(HloInstruction* instruction) {
  if (instruction->parent() != &self() || !instruction->IsDead() ||
      instruction->HasControlDependencies()) {
    return FailedPrecondition("%s is used and cannot be removed",
                              instruction->name());
  }
  if (instruction->opcode() == HloOpcode::kParameter) {
    const int64_t number = instruction->parameter_number();
    if (number < self().num_parameters() &&
        self().parameter_instruction(number) == instruction) {
      return self().RemoveParameter(number);
    }
  }
  self().Retire(instruction);
  return absl::OkStatus();
}

absl::Status ComputationEdits::RemoveInstruction(HloInstruction* instruction) {
  if (instruction->opcode() == HloOpcode::kParameter &&
      self().IsEntryComputation()) {
    return FailedPrecondition("%s is a parameter of the program",
                              instruction->name());
  }
  return Remove(instruction);
}

absl::Status ComputationEdits::ForceRemoveInstruction(
    HloInstruction* instruction) {
  return Remove(instruction);
}

absl::Status ComputationEdits::RemoveInstructionAndUnusedOperands(
    HloInstruction* instruction,
    std::optional<absl::FunctionRef<void(HloInstruction*)>> cleanup,
    bool ignore_control_dependencies,
    std::optional<Callers> computation_callers,
    bool remove_dead_parameters_from_entry_computation) {
  const auto removable = [&](const HloInstruction* hlo) {
    return hlo->IsDead() &&
           IsSafelyRemovable(hlo, ignore_control_dependencies,
                             computation_callers,
                             remove_dead_parameters_from_entry_computation);
  };
  if (!removable(instruction)) {
    return FailedPrecondition("%s is used and cannot be removed",
                              instruction->name());
  }
  std::queue<HloInstruction*> pending({instruction});
  absl::flat_hash_set<const HloInstruction*> removed;
  // Removing one renumbers the others.
  std::vector<HloInstruction*> parameters;
  while (!pending.empty()) {
    HloInstruction* next = pending.front();
    pending.pop();
    if (removed.contains(next) || !removable(next) ||
        (next != instruction && next->HasSideEffect())) {
      continue;
    }
    if (ignore_control_dependencies) {
      TF_RETURN_IF_ERROR(next->SafelyDropAllControlDependencies());
    }
    for (HloInstruction* operand : next->operands()) pending.push(operand);
    if (cleanup.has_value()) (*cleanup)(next);
    removed.insert(next);
    if (next->opcode() == HloOpcode::kParameter) {
      parameters.push_back(next);
    } else {
      TF_RETURN_IF_ERROR(Remove(next));
    }
  }
  return RemoveWithOperandsOfCallers(std::move(parameters), computation_callers,
                                     cleanup, ignore_control_dependencies);
}

// Removes parameters, and the operands for them of all callers. Does nothing if
// the callers are not known.
absl::Status ComputationEdits::RemoveWithOperandsOfCallers(
    std::vector<HloInstruction*> parameters, std::optional<Callers> callers,
    std::optional<absl::FunctionRef<void(HloInstruction*)>> cleanup,
    bool ignore_control_dependencies) {
  if (parameters.empty()) return absl::OkStatus();
  std::vector<HloInstruction*> known;
  if (callers.has_value()) known = (*callers)(&self());
  if (known.empty()) known = self().caller_instructions(HloOpcode::kFusion);
  if (known.empty() && !self().IsEntryComputation()) return absl::OkStatus();
  absl::c_sort(parameters, [](const auto* a, const auto* b) {
    return a->parameter_number() > b->parameter_number();
  });
  for (HloInstruction* parameter : parameters) {
    const int64_t number = parameter->parameter_number();
    TF_RETURN_IF_ERROR(self().RemoveParameter(number));
    for (HloInstruction* caller : known) {
      // An operand of one caller may have been another one.
      if (caller->is_removed_) continue;
      HloInstruction* operand = caller->mutable_operand(number);
      caller->RemoveOperandAt(number);
      if (caller->opcode() == HloOpcode::kAsyncStart) {
        Shape* operands = caller->mutable_shape()->mutable_tuple_shapes(0);
        operands->mutable_tuple_shapes()->erase(
            operands->mutable_tuple_shapes()->begin() + number);
      }
      ComputationEdits& outer = *operand->parent();
      if (operand->IsDead() && !operand->HasSideEffect() &&
          outer.IsSafelyRemovable(operand, ignore_control_dependencies,
                                  callers)) {
        TF_RETURN_IF_ERROR(outer.RemoveInstructionAndUnusedOperands(
            operand, cleanup, ignore_control_dependencies, callers));
      }
    }
  }
  return absl::OkStatus();
}

void ComputationEdits::Cleanup() {
  for (const auto& removed : self().removed_) {
    self().instructions_.erase(removed->position_);
  }
  self().removed_.clear();
}

bool ComputationEdits::IsMarkedAsDead(const HloInstruction* instruction) const {
  return instruction->is_removed_;
}

// Replacement ----------------------------------------------------------------

namespace {

absl::Status CheckReplacement(const HloInstruction& old_instruction,
                              const HloInstruction& new_instruction) {
  if (ShapeUtil::Compatible(old_instruction.shape(), new_instruction.shape())) {
    return absl::OkStatus();
  }
  return InvalidArgument(
      "%s of shape %s cannot be replaced by %s of shape %s",
      old_instruction.name(), ShapeUtil::HumanString(old_instruction.shape()),
      new_instruction.name(), ShapeUtil::HumanString(new_instruction.shape()));
}

// Gives `derived` what it lacks of `source`, whose place it takes.
void InheritAnnotations(const HloInstruction& source, HloInstruction& derived) {
  if (derived.metadata().op_name().empty() &&
      !source.metadata().op_name().empty()) {
    derived.set_metadata(source.metadata());
  }
  if (!derived.has_frontend_attributes() && source.has_frontend_attributes()) {
    derived.set_frontend_attributes(source.frontend_attributes());
  }
  if (derived.original_value() == nullptr) {
    CopyOriginalValue(&source, &derived, /*clone=*/false,
                      /*issue_warning=*/false);
  }
  if (!derived.has_sharding()) derived.copy_sharding(&source);
}

bool SameKind(const HloInstruction& a, const HloInstruction& b) {
  return a.opcode() == b.opcode() &&
         (a.opcode() != HloOpcode::kCustomCall ||
          a.custom_call_target() == b.custom_call_target());
}

}  // namespace

absl::Status ComputationEdits::ReplaceInstruction(
    HloInstruction* old_instruction, HloInstruction* new_instruction) {
  TF_RETURN_IF_ERROR(CheckReplacement(*old_instruction, *new_instruction));
  InheritAnnotations(*old_instruction, *new_instruction);
  TF_RETURN_IF_ERROR(old_instruction->ReplaceAllUsesWith(new_instruction));
  TF_RETURN_IF_ERROR(old_instruction->DropAllControlDeps());
  if (old_instruction->opcode() == HloOpcode::kParameter) {
    return absl::OkStatus();
  }
  return RemoveInstructionAndUnusedOperands(old_instruction);
}

absl::Status ComputationEdits::ReplaceWithNewInstruction(
    HloInstruction* old_instruction,
    std::unique_ptr<HloInstruction> new_instruction) {
  if (new_instruction->metadata().ByteSizeLong() == 0 &&
      old_instruction->metadata().ByteSizeLong() > 0) {
    new_instruction->set_metadata(old_instruction->metadata());
  }
  return ReplaceInstruction(old_instruction,
                            self().AddInstruction(std::move(new_instruction)));
}

absl::StatusOr<bool> ComputationEdits::ReplaceInstruction(
    HloInstruction* old_instruction, HloInstruction* new_instruction,
    bool preserve_sharding, bool relay_control_dependency,
    bool remove_unused_operands) {
  TF_RETURN_IF_ERROR(CheckReplacement(*old_instruction, *new_instruction));
  return ReplaceInstructionWithDifferentShape(
      old_instruction, new_instruction, preserve_sharding,
      relay_control_dependency, remove_unused_operands);
}

absl::StatusOr<bool> ComputationEdits::ReplaceInstructionWithDifferentShape(
    HloInstruction* old_instruction, HloInstruction* new_instruction,
    bool preserve_sharding, bool relay_control_dependency,
    bool remove_unused_operands) {
  if (preserve_sharding && new_instruction->has_sharding() &&
      old_instruction->has_sharding() &&
      !new_instruction->has_compatible_sharding(old_instruction)) {
    return false;
  }
  if (relay_control_dependency) {
    TF_RETURN_IF_ERROR(
        new_instruction->CopyAllControlDepsFrom(old_instruction));
    TF_RETURN_IF_ERROR(old_instruction->DropAllControlDeps());
  } else if (old_instruction->HasControlDependencies()) {
    return false;
  }
  InheritAnnotations(*old_instruction, *new_instruction);
  TF_RETURN_IF_ERROR(
      old_instruction->ReplaceAllUsesWithDifferentShape(new_instruction));
  if (SameKind(*old_instruction, *new_instruction)) {
    new_instruction->SetAndSanitizeName(old_instruction->name());
  }
  if (remove_unused_operands) {
    TF_RETURN_IF_ERROR(RemoveInstructionAndUnusedOperands(
        old_instruction, std::nullopt, relay_control_dependency));
  } else {
    TF_RETURN_IF_ERROR(RemoveInstruction(old_instruction));
  }
  return true;
}

absl::Status ComputationEdits::ReplaceInstructionWithDifferentShape(
    HloInstruction* old_instruction, HloInstruction* new_instruction) {
  return ReplaceInstructionWithDifferentShape(old_instruction, new_instruction,
                                              /*preserve_sharding=*/false)
      .status();
}

// Copies ---------------------------------------------------------------------

namespace {

// Recurses on the depth of the shape only.
absl::StatusOr<HloInstruction*> CopyLeaves(
    HloComputation& computation, HloInstruction* value, ShapeIndex& index,
    ComputationEdits::LeafCopier copy_leaf) {
  const Shape& shape = value->shape();
  if (shape.IsToken()) return value;
  if (!shape.IsTuple()) {
    HloInstruction* copy = copy_leaf(value, index, &computation);
    if (!shape.IsArray() && copy != value) {
      return FailedPrecondition("%s is no array and has no copies",
                                value->name());
    }
    return copy;
  }
  std::vector<HloInstruction*> elements;
  for (int64_t i = 0; i < shape.tuple_shapes_size(); ++i) {
    index.push_back(i);
    TF_ASSIGN_OR_RETURN(
        HloInstruction * element,
        CopyLeaves(computation,
                   computation.AddInstruction(
                       HloInstruction::CreateGetTupleElement(value, i)),
                   index, copy_leaf));
    elements.push_back(element);
    index.pop_back();
  }
  return computation.AddInstruction(HloInstruction::CreateTuple(elements));
}

}  // namespace

absl::StatusOr<HloInstruction*>
ComputationEdits::DeepCopyInstructionWithCustomCopier(
    HloInstruction* instruction, LeafCopier copy_leaf) {
  if (instruction->parent() != &self()) {
    return FailedPrecondition("%s is not in the computation %s to be copied",
                              instruction->name(), self().name());
  }
  ShapeIndex index;
  return CopyLeaves(self(), instruction, index, copy_leaf);
}

absl::StatusOr<HloInstruction*> ComputationEdits::DeepCopyInstruction(
    HloInstruction* instruction, const ShapeTree<bool>* indices_to_copy,
    ShapeTree<HloInstruction*>* copies_added) {
  if (indices_to_copy != nullptr &&
      !ShapeUtil::Compatible(instruction->shape(), indices_to_copy->shape())) {
    return FailedPrecondition(
        "the indices to copy of %s, of shape %s, are of shape %s",
        instruction->name(), ShapeUtil::HumanString(instruction->shape()),
        ShapeUtil::HumanString(indices_to_copy->shape()));
  }
  return DeepCopyInstructionWithCustomCopier(
      instruction, [&](HloInstruction* leaf, const ShapeIndex& index,
                       HloComputation* computation) {
        if (indices_to_copy != nullptr && !indices_to_copy->element(index)) {
          return leaf;
        }
        HloInstruction* copy = computation->AddInstruction(
            HloInstruction::CreateUnary(leaf->shape(), HloOpcode::kCopy, leaf));
        if (copies_added != nullptr) {
          *copies_added->mutable_element(index) = copy;
        }
        return copy;
      });
}

}  // namespace xla
