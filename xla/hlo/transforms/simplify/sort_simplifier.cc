// Operand i of a sort is parameters 2i and 2i+1 of its comparator.
#include "xla/hlo/transforms/simplify/sort_simplifier.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/sorting.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// sort(x) => x, where there is nothing to order.
absl::StatusOr<bool> TryIdentity(Hlo sort) {
  const int64_t d = sort->attrs<SortAttrs>().dimensions[0];
  if (sort->operand(0)->shape().dimensions(d) > 1 ||
      sort->HasControlDependencies()) {
    return false;
  }
  HloComputation* computation = sort->parent();
  Hlo same = sort->mutable_operand(0);
  if (sort->operand_count() > 1) {
    same = computation->AddInstruction(
        HloInstruction::CreateTuple(sort->operands()));
  }
  if (same->shape() != sort->shape()) return false;
  TF_RETURN_IF_ERROR(sort->ReplaceAllUsesWith(same));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(sort));
  return true;
}

std::vector<bool> OperandsRead(const HloInstruction& sort) {
  std::vector<bool> read(sort.operand_count(), false);
  for (const HloInstruction* user : sort.users()) {
    if (user->opcode() != HloOpcode::kGetTupleElement) {
      return std::vector<bool>(read.size(), true);
    }
    read[user->tuple_index()] = true;
  }
  const HloComputation& comparator = *sort.to_apply();
  for (int64_t p = 0; p < comparator.num_parameters(); ++p) {
    const HloInstruction* parameter = comparator.parameter_instruction(p);
    if (parameter->user_count() > 0 || parameter->IsRoot()) read[p / 2] = true;
  }
  return read;
}

absl::StatusOr<bool> DropOperands(Hlo sort) {
  if (sort->operand_count() < 2 || sort->IsRoot()) return false;
  const std::vector<bool> read = OperandsRead(*sort);
  HloInstruction::InstructionVector kept;
  std::vector<int64_t> new_index(read.size());
  for (size_t i = 0; i < read.size(); ++i) {
    new_index[i] = kept.size();
    if (read[i]) kept.push_back(sort->mutable_operand(i));
  }
  if (kept.size() == read.size() || kept.empty()) return false;
  HloComputation* computation = sort->parent();
  HloComputation* comparator = sort->to_apply()->CloneInto(
      computation->parent(), sort->to_apply()->name());
  for (int64_t p = comparator->num_parameters(); p-- > 0;) {
    if (!read[p / 2]) TF_RETURN_IF_ERROR(comparator->RemoveParameter(p));
  }
  std::vector<Shape> shapes;
  for (Hlo operand : kept) shapes.push_back(operand->shape());
  Hlo smaller = computation->AddInstruction(
      sort->CloneWithNewOperands(ShapeUtil::MakeMaybeTupleShape(shapes), kept));
  smaller->set_called_computation(0, comparator);
  const std::vector<Hlo> users = sort->users();
  for (Hlo user : users) {
    Hlo element =
        kept.size() == 1
            ? smaller
            : computation->AddInstruction(HloInstruction::CreateGetTupleElement(
                  smaller, new_index[user->tuple_index()]));
    TF_RETURN_IF_ERROR(computation->ReplaceInstruction(user, element));
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> SortSimplifier::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    std::vector<Hlo> sorts;
    for (const auto& instruction : computation->instructions()) {
      if (instruction->opcode() == HloOpcode::kSort) {
        sorts.push_back(instruction);
      }
    }
    for (Hlo sort : sorts) {
      TF_ASSIGN_OR_RETURN(bool once, TryIdentity(sort));
      if (!once && !sort->HasControlDependencies()) {
        TF_ASSIGN_OR_RETURN(once, DropOperands(sort));
      }
      changed |= once;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
