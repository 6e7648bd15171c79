// Order of instructions. value_order.cc has that of values.
#include "xla/hlo/analysis/values/hlo_ordering.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"

namespace xla {

bool HloOrdering::ExecutesBefore(const HloInstruction* a,
                                 const HloInstruction* b) const {
  switch (GetExecutionConstraint(a, b)) {
    case ExecutionConstraint::kRunBeforeStart:
    case ExecutionConstraint::kRunBeforeEnd:
    case ExecutionConstraint::kRunExclusiveBefore:
      return true;
    case ExecutionConstraint::kIsSame:
    case ExecutionConstraint::kRunExclusiveAfter:
    case ExecutionConstraint::kRunAfter:
    case ExecutionConstraint::kUnordered:
      return false;
  }
  return false;
}

HloOrdering::ExecutionConstraint HloOrdering::CompareInConditional(
    const HloInstruction& conditional, const HloInstruction* a,
    const HloInstruction* b) const {
  int a_branch = -1;  // -1: the conditional itself
  int b_branch = -1;
  for (int i = 0; i < conditional.branch_count(); ++i) {
    const HloComputation* branch = conditional.branch_computation(i);
    if (call_graph_->InstructionIsNestedIn(a, branch)) a_branch = i;
    if (call_graph_->InstructionIsNestedIn(b, branch)) b_branch = i;
  }
  if (a_branch == b_branch) return ExecutionConstraint::kIsSame;
  if (b_branch == -1) return ExecutionConstraint::kRunBeforeEnd;
  if (a_branch == -1) return ExecutionConstraint::kRunAfter;
  return a_branch < b_branch ? ExecutionConstraint::kRunExclusiveBefore
                             : ExecutionConstraint::kRunExclusiveAfter;
}

HloOrdering::ExecutionConstraint HloOrdering::GetExecutionConstraint(
    const HloInstruction* a, const HloInstruction* b) const {
  // An asynchronous op and what it runs count as one.
  const auto runs = [](const HloInstruction* x, const HloInstruction* y) {
    return x->IsAsynchronous() && x->async_wrapped_instruction() == y;
  };
  if (a == b || runs(a, b) || runs(b, a)) return ExecutionConstraint::kIsSame;
  const auto [a_above, b_above] =
      call_graph_->NearestAncestorsInSameComputation(
          const_cast<HloInstruction*>(a), const_cast<HloInstruction*>(b));
  if (a_above == nullptr) return ExecutionConstraint::kUnordered;
  if (a_above == b_above && a_above->opcode() == HloOpcode::kWhile &&
      call_graph_->InstructionIsNestedIn(a, a_above->while_condition()) &&
      call_graph_->InstructionIsNestedIn(b, a_above->while_body())) {
    return ExecutionConstraint::kRunBeforeEnd;
  }
  if (a_above == b_above && a_above->opcode() == HloOpcode::kConditional) {
    const ExecutionConstraint constraint = CompareInConditional(*a_above, a, b);
    if (constraint != ExecutionConstraint::kIsSame) return constraint;
  }
  if (ExecutesBeforeInSameComputation(a_above, b_above)) {
    return ExecutionConstraint::kRunBeforeStart;
  }
  if (ExecutesBeforeInSameComputation(b_above, a_above)) {
    return ExecutionConstraint::kRunAfter;
  }
  return ExecutionConstraint::kUnordered;
}

bool PredecessorHloOrdering::ExecutesBeforeInSameComputation(
    const HloInstruction* a, const HloInstruction* b) const {
  CHECK_EQ(a->parent(), b->parent());
  return a != b && predecessors_.at(a->parent())->IsReachable(a, b);
}

std::string PredecessorHloOrdering::ToStringHelper(
    const std::string& name) const {
  std::string text = name;
  for (const HloComputation* computation :
       module_->MakeNonfusionComputations()) {
    absl::StrAppend(&text, "\ncomputation ", computation->name(), ":");
    const auto all = computation->MakeInstructionPostOrder();
    for (const HloInstruction* hlo : all) {
      absl::StrAppend(&text, "\n  ", hlo->name(), " predecessors:");
      for (const HloInstruction* before : all) {
        if (predecessors_.at(computation)->IsReachable(before, hlo)) {
          absl::StrAppend(&text, "\n    ", before->name());
        }
      }
    }
  }
  return text;
}

DependencyHloOrdering::DependencyHloOrdering(const HloModule* module)
    : PredecessorHloOrdering(module) {
  for (const HloComputation* computation :
       module->MakeNonfusionComputations()) {
    predecessors_[computation] = HloReachabilityMap::Build(computation);
  }
}

SequentialHloOrdering::SequentialHloOrdering(HloSchedule&& schedule)
    : HloOrdering(schedule.module()), schedule_(std::move(schedule)) {
  for (const auto& [id, sequence] : schedule_.sequences()) {
    int64_t position = 0;
    for (const HloInstruction* hlo : sequence.instructions()) {
      order_position_[hlo] = position++;
    }
  }
}

bool SequentialHloOrdering::ExecutesBeforeInSameComputation(
    const HloInstruction* a, const HloInstruction* b) const {
  CHECK_EQ(a->parent(), b->parent());
  if (a->IsRoot()) return false;
  const auto a_position = order_position_.find(a);
  const auto b_position = order_position_.find(b);
  return a_position != order_position_.end() &&
         b_position != order_position_.end() &&
         a_position->second < b_position->second;
}

const HloInstructionSequence* SequentialHloOrdering::SequentialOrder(
    const HloComputation& computation) const {
  return schedule_.is_computation_scheduled(&computation)
             ? &schedule_.sequence(&computation)
             : nullptr;
}

std::string SequentialHloOrdering::ToString() const {
  return absl::StrCat("SequentialHloOrdering\n", schedule_.ToString());
}

}  // namespace xla
