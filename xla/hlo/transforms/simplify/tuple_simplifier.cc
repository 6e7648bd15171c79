// One sweep from operands to users, so that nested tuples resolve at once.
#include "xla/hlo/transforms/simplify/tuple_simplifier.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// select(p, t, u) of tuples => tuple(select(p, t0, u0), ...), recursively.
absl::StatusOr<Hlo> SelectElements(Hlo select) {
  HloComputation* computation = select->parent();
  HloInstruction::InstructionVector elements;
  for (int i = 0; i < select->shape().tuple_shapes_size(); ++i) {
    Hlo sides[2];
    for (int side = 0; side < 2; ++side) {
      sides[side] =
          computation->AddInstruction(HloInstruction::CreateGetTupleElement(
              select->mutable_operand(side + 1), i));
    }
    const Shape& shape = select->shape().tuple_shapes(i);
    if (shape.IsToken()) {
      elements.push_back(computation->AddInstruction(
          HloInstruction::Create(HloOpcode::kAfterAll, shape, sides)));
      continue;
    }
    Hlo element = computation->AddInstruction(HloInstruction::Create(
        HloOpcode::kSelect, shape,
        {select->mutable_operand(0), sides[0], sides[1]}));
    if (shape.IsTuple()) {
      TF_ASSIGN_OR_RETURN(Hlo inner, SelectElements(element));
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(element));
      element = inner;
    }
    elements.push_back(element);
  }
  return computation->AddInstruction(HloInstruction::CreateTuple(elements));
}

// constant((a, b, ...)) => tuple(constant(a), ...), recursively.
Hlo SplitConstant(HloComputation* computation, Literal literal) {
  if (!literal.shape().IsTuple()) {
    return computation->AddInstruction(
        HloInstruction::CreateConstant(std::move(literal)));
  }
  HloInstruction::InstructionVector elements;
  for (Literal& element : literal.DecomposeTuple()) {
    elements.push_back(SplitConstant(computation, std::move(element)));
  }
  return computation->AddInstruction(HloInstruction::CreateTuple(elements));
}

// Returns the simplest equivalent of `hlo`, possibly itself.
Hlo Simplified(Hlo hlo) {
  if (hlo->opcode() == HloOpcode::kGetTupleElement) {
    Hlo tuple = hlo->mutable_operand(0);
    if (tuple->opcode() != HloOpcode::kTuple) return hlo;
    Hlo element = tuple->mutable_operand(hlo->tuple_index());
    return element->shape() == hlo->shape() ? element : hlo;
  }
  if (hlo->opcode() != HloOpcode::kTuple || hlo->operand_count() == 0 ||
      hlo->operand(0)->opcode() != HloOpcode::kGetTupleElement) {
    return hlo;
  }
  Hlo whole = hlo->mutable_operand(0)->mutable_operand(0);
  if (whole->shape() != hlo->shape()) return hlo;
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    const HloInstruction* element = hlo->operand(i);
    if (element->opcode() != HloOpcode::kGetTupleElement ||
        element->tuple_index() != i || element->operand(0) != whole ||
        element->HasControlDependencies()) {
      return hlo;
    }
  }
  return whole;
}

absl::StatusOr<bool> Simplify(HloComputation* computation) {
  bool changed = false;
  for (Hlo hlo : computation->MakeInstructionPostOrder()) {
    // Backends do not support constants or selects of tuples, so these are
    // replaced despite control edges.
    if (hlo->shape().IsTuple() &&
        (hlo->IsConstant() || hlo->opcode() == HloOpcode::kSelect)) {
      Hlo tuple;
      if (hlo->IsConstant()) {
        tuple = SplitConstant(computation, hlo->literal().Clone());
      } else {
        TF_ASSIGN_OR_RETURN(tuple, SelectElements(hlo));
      }
      TF_RETURN_IF_ERROR(MoveControlDependencies(hlo, tuple));
      TF_RETURN_IF_ERROR(computation->ReplaceInstruction(hlo, tuple));
      computation->parent()->set_is_scheduled(false);
      changed = true;
      continue;
    }
    if (hlo->HasControlDependencies()) continue;
    Hlo simpler = Simplified(hlo);
    if (simpler == hlo) continue;
    TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(simpler));
    changed = true;
  }
  if (!changed) return false;
  std::vector<Hlo> order = computation->MakeInstructionPostOrder();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const HloOpcode opcode = (*it)->opcode();
    if ((opcode == HloOpcode::kTuple ||
         opcode == HloOpcode::kGetTupleElement) &&
        (*it)->user_count() == 0 && !(*it)->IsRoot() &&
        !(*it)->HasControlDependencies()) {
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(*it));
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> TupleSimplifier::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    // The second round resolves the tuples that select makes.
    TF_ASSIGN_OR_RETURN(bool once, Simplify(computation));
    if (once) TF_RETURN_IF_ERROR(Simplify(computation).status());
    changed |= once;
  }
  return changed;
}

}  // namespace xla
