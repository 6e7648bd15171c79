// One function per rule; rules are tried on a conditional until none applies.
#include "xla/hlo/transforms/simplify/conditional_simplifier.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/values.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Callers = absl::flat_hash_map<const HloComputation*, int64_t>;

// The most branches, and instructions in them, for which running all and
// selecting costs less than branching.
constexpr size_t kMaxSelectedBranches = 4;
constexpr int64_t kMaxSelectedInstructions = 12;

Callers CountCallers(const HloModule& module) {
  Callers callers;
  for (const auto& computation : module.computations()) {
    for (const auto& instruction : computation->instructions()) {
      for (const HloComputation* callee : instruction->called_computations()) {
        ++callers[callee];
      }
    }
  }
  return callers;
}

// Returns the branch that is certain to run, or -1.
int64_t KnownBranch(const HloInstruction& conditional) {
  const auto& branches = conditional.called_computations();
  const int64_t last = branches.size() - 1;
  if (last == 0) return 0;
  const HloInstruction* index = conditional.operand(0);
  if (index->IsConstant()) {
    if (index->shape().element_type() == PRED) {
      return index->literal().GetFirstElement<bool>() ? 0 : 1;
    }
    const int32_t branch = index->literal().GetFirstElement<int32_t>();
    return branch < 0 || branch > last ? last : branch;
  }
  for (int64_t i = 1; i <= last; ++i) {
    if (conditional.operand(i + 1) != conditional.operand(1) ||
        !branches[i]->Equal(*branches[0])) {
      return -1;
    }
  }
  return 0;
}

bool IsScalarOrTupleOfScalars(const Shape& shape) {
  if (shape.IsArray()) return shape.rank() == 0;
  if (!shape.IsTuple()) return false;
  return std::all_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     IsScalarOrTupleOfScalars);
}

bool IsCheap(const HloComputation& branch) {
  if (branch.instruction_count() > kMaxSelectedInstructions) return false;
  for (const auto& instruction : branch.instructions()) {
    const bool is_plumbing =
        instruction->opcode() == HloOpcode::kTuple ||
        instruction->opcode() == HloOpcode::kParameter ||
        instruction->opcode() == HloOpcode::kConstant ||
        instruction->opcode() == HloOpcode::kGetTupleElement;
    if (instruction->opcode() == HloOpcode::kParameter) continue;
    if ((!is_plumbing && !instruction->IsElementwiseOp()) ||
        !instruction->called_computations().empty() ||
        instruction->HasControlDependencies() ||
        instruction->HasSideEffectNoRecurse() ||
        !IsScalarOrTupleOfScalars(instruction->shape())) {
      return false;
    }
  }
  return IsScalarOrTupleOfScalars(branch.root_instruction()->shape());
}

// Returns `results[i]` for index i, selected element by element.
Hlo SelectResult(HloComputation* computation, absl::Span<const Hlo> tests,
                 absl::Span<const Hlo> results) {
  const Shape& shape = results[0]->shape();
  if (!shape.IsTuple()) {
    Hlo chosen = results.back();
    for (size_t i = tests.size(); i-- > 0;) {
      chosen = computation->AddInstruction(HloInstruction::Create(
          HloOpcode::kSelect, shape, {tests[i], results[i], chosen}));
    }
    return chosen;
  }
  std::vector<Hlo> elements;
  for (int e = 0; e < shape.tuple_shapes_size(); ++e) {
    std::vector<Hlo> parts;
    for (Hlo result : results) {
      parts.push_back(computation->AddInstruction(
          HloInstruction::CreateGetTupleElement(result, e)));
    }
    elements.push_back(SelectResult(computation, tests, parts));
  }
  return computation->AddInstruction(HloInstruction::CreateTuple(elements));
}

absl::StatusOr<bool> TrySelect(Hlo conditional) {
  const std::vector<HloComputation*> branches =
      conditional->called_computations();
  if (branches.size() > kMaxSelectedBranches ||
      conditional->HasControlDependencies()) {
    return false;
  }
  for (const HloComputation* branch : branches) {
    if (!IsCheap(*branch)) return false;
  }
  HloComputation* computation = conditional->parent();
  Hlo index = conditional->mutable_operand(0);
  std::vector<Hlo> tests;
  for (size_t i = 0; i + 1 < branches.size(); ++i) {
    if (index->shape().element_type() == PRED) {
      tests.push_back(index);
      continue;
    }
    Hlo number = computation->AddInstruction(HloInstruction::CreateConstant(
        LiteralUtil::CreateR0<int32_t>(static_cast<int32_t>(i))));
    tests.push_back(computation->AddInstruction(HloInstruction::Create(
        HloOpcode::kCompare, ShapeUtil::MakeShape(PRED, {}), {index, number},
        CompareAttrs{ComparisonDirection::kEq})));
  }
  std::vector<Hlo> calls;
  for (size_t i = 0; i < branches.size(); ++i) {
    calls.push_back(computation->AddInstruction(HloInstruction::Create(
        HloOpcode::kCall, branches[i]->root_instruction()->shape(),
        {conditional->mutable_operand(i + 1)}, {}, {branches[i]})));
  }
  TF_RETURN_IF_ERROR(computation->ReplaceInstruction(
      conditional, SelectResult(computation, tests, calls)));
  for (size_t i = 0; i < calls.size(); ++i) {
    const HloInstruction::InstructionVector arguments = calls[i]->operands();
    TF_RETURN_IF_ERROR(InlineCall(calls[i], *branches[i], arguments));
  }
  return true;
}

// Returns which elements of `tuple` are read; nullopt if that is unknown,
// because some user does not take a single element.
std::optional<std::vector<int64_t>> ElementsRead(const HloInstruction& tuple) {
  if (!tuple.shape().IsTuple() || tuple.IsRoot()) return std::nullopt;
  std::vector<bool> read(tuple.shape().tuple_shapes_size(), false);
  for (const HloInstruction* user : tuple.users()) {
    if (user->opcode() != HloOpcode::kGetTupleElement) return std::nullopt;
    read[user->tuple_index()] = true;
  }
  std::vector<int64_t> elements;
  for (size_t i = 0; i < read.size(); ++i) {
    if (read[i]) elements.push_back(i);
  }
  if (elements.size() == read.size()) return std::nullopt;
  return elements;
}

Hlo TupleOf(Hlo whole, absl::Span<const int64_t> elements) {
  std::vector<Hlo> parts;
  for (int64_t i : elements) {
    parts.push_back(whole->opcode() == HloOpcode::kTuple
                        ? whole->mutable_operand(i)
                        : whole->parent()->AddInstruction(
                              HloInstruction::CreateGetTupleElement(whole, i)));
  }
  return whole->parent()->AddInstruction(HloInstruction::CreateTuple(parts));
}

// Renumbers what the readers of `tuple` read after elements were dropped.
void Renumber(const HloInstruction& tuple, absl::Span<const int64_t> elements) {
  for (Hlo user : tuple.users()) {
    auto& attrs = user->mutable_attrs<GetTupleElementAttrs>();
    attrs.index =
        std::lower_bound(elements.begin(), elements.end(), attrs.index) -
        elements.begin();
  }
}

bool HaveOneCaller(const HloInstruction& conditional, const Callers& callers) {
  return std::all_of(conditional.called_computations().begin(),
                     conditional.called_computations().end(),
                     [&](const HloComputation* branch) {
                       const auto it = callers.find(branch);
                       return it != callers.end() && it->second == 1;
                     });
}

absl::StatusOr<bool> DropDeadResults(Hlo conditional, const Callers& callers) {
  const auto elements = ElementsRead(*conditional);
  if (!elements.has_value() || !HaveOneCaller(*conditional, callers)) {
    return false;
  }
  Shape shape;
  for (HloComputation* branch : conditional->called_computations()) {
    Hlo root = TupleOf(branch->root_instruction(), *elements);
    branch->set_root_instruction(root);
    shape = root->shape();
  }
  Renumber(*conditional, *elements);
  *conditional->mutable_shape() = shape;
  return true;
}

absl::StatusOr<bool> DropDeadOperands(Hlo& conditional,
                                      const Callers& callers) {
  if (!HaveOneCaller(*conditional, callers)) return false;
  HloInstruction::InstructionVector operands = conditional->operands();
  bool changed = false;
  for (size_t i = 0; i < conditional->called_computations().size(); ++i) {
    Hlo parameter =
        conditional->branch_computation(i)->parameter_instruction(0);
    const auto elements = ElementsRead(*parameter);
    if (!elements.has_value()) continue;
    operands[i + 1] = TupleOf(operands[i + 1], *elements);
    Renumber(*parameter, *elements);
    *parameter->mutable_shape() = operands[i + 1]->shape();
    changed = true;
  }
  if (!changed) return false;
  HloComputation* computation = conditional->parent();
  Hlo smaller = computation->AddInstruction(
      conditional->CloneWithNewOperands(conditional->shape(), operands));
  TF_RETURN_IF_ERROR(computation->ReplaceInstruction(conditional, smaller));
  conditional = smaller;
  return true;
}

// Counts the calls in new copies of a branch.
void CountCopiedCalls(const HloComputation& branch, Callers& callers) {
  for (const auto& instruction : branch.instructions()) {
    for (const HloComputation* callee : instruction->called_computations()) {
      ++callers[callee];
    }
  }
}

// Keeps the counts in `callers` at or above the true ones.
absl::StatusOr<bool> Simplify(Hlo conditional, Callers& callers) {
  if (const int64_t branch = KnownBranch(*conditional); branch >= 0) {
    Hlo argument = conditional->mutable_operand(branch + 1);
    const HloComputation& body = *conditional->branch_computation(branch);
    TF_RETURN_IF_ERROR(InlineCall(conditional, body, {argument}));
    CountCopiedCalls(body, callers);
    return true;
  }
  const std::vector<const HloComputation*> branches(
      conditional->called_computations().begin(),
      conditional->called_computations().end());
  TF_ASSIGN_OR_RETURN(bool selected, TrySelect(conditional));
  if (selected) {
    for (const HloComputation* branch : branches) {
      CountCopiedCalls(*branch, callers);
    }
    return true;
  }
  if (conditional->HasControlDependencies()) return false;
  TF_ASSIGN_OR_RETURN(bool results, DropDeadResults(conditional, callers));
  TF_ASSIGN_OR_RETURN(bool operands, DropDeadOperands(conditional, callers));
  return results || operands;
}

}  // namespace

absl::StatusOr<bool> ConditionalSimplifier::RunImpl(HloModule* module) {
  bool changed = false;
  int64_t instructions = module->instruction_count();
  Callers callers = CountCallers(*module);
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    // Simplifying one may remove other instructions.
    std::vector<Hlo> conditionals;
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() == HloOpcode::kConditional) conditionals.push_back(hlo);
    }
    for (Hlo hlo : conditionals) {
      for (const HloComputation* branch : hlo->called_computations()) {
        instructions += branch->instruction_count();
      }
      if (instructions > kMaxInstructionsAfterCopies) return changed;
      TF_ASSIGN_OR_RETURN(bool once, Simplify(hlo, callers));
      changed |= once;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
