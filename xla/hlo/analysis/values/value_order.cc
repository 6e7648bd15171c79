// The members of HloOrdering that compare values.
#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/hlo/analysis/values/forwarding.h"
#include "xla/hlo/analysis/values/hlo_ordering.h"

namespace xla {
namespace {

bool IsEntryParameter(const HloValue& value) {
  return value.instruction()->opcode() == HloOpcode::kParameter &&
         value.instruction()->parent()->IsEntryComputation();
}

bool IsParameterPhi(const HloValue& value) {
  return value.is_phi() &&
         value.instruction()->opcode() == HloOpcode::kParameter;
}

}  // namespace

bool HloOrdering::IsDefinedBefore(const HloValue& a, const HloValue& b) const {
  if (IsEntryParameter(b)) return false;
  if (IsEntryParameter(a)) return true;
  const HloInstruction* a_maker = a.defining_instruction();
  const HloInstruction* b_maker = b.defining_instruction();
  const auto is_inside = [&](const HloInstruction* hlo,
                             const HloComputation* computation) {
    return call_graph_->InstructionIsNestedIn(hlo, computation);
  };
  if (IsParameterPhi(a) && !IsParameterPhi(b) &&
      is_inside(b_maker, a_maker->parent())) {
    return true;
  }
  if (IsParameterPhi(b) && is_inside(a_maker, b_maker->parent())) return false;
  const bool b_joins_callees =
      b.is_phi() && (b_maker->opcode() == HloOpcode::kWhile ||
                     b_maker->opcode() == HloOpcode::kConditional);
  if (b_joins_callees && absl::c_any_of(b_maker->called_computations(),
                                        [&](const HloComputation* callee) {
                                          return is_inside(a_maker, callee);
                                        })) {
    return true;
  }
  return ExecutesBefore(a_maker, b_maker);
}

// Compares one value's definition with uses, one after the other.
class HloOrdering::UseOrder {
 public:
  UseOrder(const HloOrdering& ordering, const HloValue& value,
           const HloDataflowAnalysis& dataflow, const AliasInfo* alias_info,
           bool same_instruction_is_before)
      : ordering_(ordering),
        value_(value),
        maker_(value.defining_instruction()),
        dataflow_(dataflow),
        alias_info_(alias_info),
        same_instruction_is_before_(same_instruction_is_before) {}

  bool IsBeforeDefinition(const HloUse& use) {
    switch (ordering_.GetExecutionConstraint(use.instruction, maker_)) {
      case ExecutionConstraint::kIsSame:
        if (same_instruction_is_before_ || MayWriteOver(use)) return true;
        break;
      case ExecutionConstraint::kRunExclusiveAfter:
        // Not so if the value may come back into the conditional.
        if (!escapes_branch_) {
          used_in_other_branch_ = true;
          return true;
        }
        break;
      case ExecutionConstraint::kRunExclusiveBefore:
      case ExecutionConstraint::kRunBeforeStart:
      case ExecutionConstraint::kRunBeforeEnd:
        return true;
      case ExecutionConstraint::kRunAfter:
        if (same_instruction_is_before_ &&
            use.instruction->opcode() == HloOpcode::kCollectivePermuteDone &&
            use.instruction->operand(0) == value_.instruction()) {
          return true;
        }
        break;
      case ExecutionConstraint::kUnordered:
        break;
    }
    return IsBeforeByControlFlow(use);
  }

 private:
  bool MakerIsInside(const HloComputation* computation) const {
    return ordering_.call_graph_->InstructionIsNestedIn(maker_, computation);
  }
  bool IsInside(const HloInstruction* hlo,
                const HloComputation* computation) const {
    return ordering_.call_graph_->InstructionIsNestedIn(hlo, computation);
  }

  bool MayWriteOver(const HloUse& use) const {
    HloInstruction* operand =
        use.instruction->mutable_operand(use.operand_number);
    ShapeIndex index = use.operand_index;
    if (use.instruction->IsAsynchronous() &&
        maker_->parent() == use.instruction->async_wrapped_computation()) {
      // The maker reads the parameter that the operand becomes.
      const HloComputation* wrapped = maker_->parent();
      if (use.instruction->opcode() == HloOpcode::kAsyncStart) {
        operand = wrapped->parameter_instruction(use.operand_number);
      } else {
        if (index.size() < 2 || index[0] != 0 ||
            index[1] >= wrapped->num_parameters()) {
          return false;
        }
        operand = wrapped->parameter_instruction(index[1]);
        index = Without(index, 2);
      }
    }
    HloInstruction* maker = value_.defining_instruction();
    return maker->IsUserOf(operand) &&
           dataflow_.CanShareOperandBufferWithUser(
               operand, index, maker, value_.defining_index(), alias_info_);
  }

  bool IsBeforeByControlFlow(const HloUse& use) {
    const HloInstruction& user = *use.instruction;
    if (user.opcode() == HloOpcode::kWhile) {
      // What goes into the loop is needed until the body starts.
      if (MakerIsInside(user.while_body())) return true;
      if (MakerIsInside(user.while_condition())) {
        return maker_ == user.while_condition()->parameter_instruction(0);
      }
    }
    if (maker_->opcode() == HloOpcode::kWhile &&
        (IsInside(&user, maker_->while_body()) ||
         IsInside(&user, maker_->while_condition()))) {
      return true;
    }
    if (user.opcode() == HloOpcode::kCall && MakerIsInside(user.to_apply())) {
      return true;
    }
    if (user.IsAsynchronous() &&
        MakerIsInside(user.async_wrapped_computation())) {
      return true;
    }
    return user.opcode() == HloOpcode::kConditional &&
           IsBeforeBranches(use, user);
  }

  // The argument of a branch is used before what the branch makes, unless a
  // loop around brings that back as an argument of another branch.
  bool IsBeforeBranches(const HloUse& use, const HloInstruction& conditional) {
    for (const HloComputation* branch : conditional.branch_computations()) {
      if (!MakerIsInside(branch)) continue;
      if (!dataflow_.ValueIsDefinedAt(
              conditional.operand(use.operand_number))) {
        escapes_branch_ |= absl::c_any_of(
            value_.GetUses(),
            [](const HloUse& other) { return other.instruction->IsRoot(); });
      }
      if (!used_in_other_branch_) return true;
    }
    return maker_ == &conditional;
  }

  const HloOrdering& ordering_;
  const HloValue& value_;
  const HloInstruction* maker_;
  const HloDataflowAnalysis& dataflow_;
  const AliasInfo* alias_info_;
  const bool same_instruction_is_before_;
  bool used_in_other_branch_ = false;
  bool escapes_branch_ = false;
};

bool HloOrdering::UsesBeforeValueDefinition(
    absl::Span<const HloUse* const> uses, const HloValue& value,
    const HloDataflowAnalysis& dataflow, const AliasInfo* alias_info,
    bool use_is_always_before_def_in_same_instr) const {
  UseOrder order(*this, value, dataflow, alias_info,
                 use_is_always_before_def_in_same_instr);
  return absl::c_all_of(
      uses, [&](const HloUse* use) { return order.IsBeforeDefinition(*use); });
}

bool HloOrdering::LiveRangeStrictlyBefore(
    const HloValue& a, const HloValue& b, const HloDataflowAnalysis& dataflow,
    const AliasInfo* alias_info,
    bool use_is_always_before_def_in_same_instr) const {
  if (!IsDefinedBefore(a, b) || a.live_out_of_module()) return false;
  // What a root returns is needed to the end of its computation.
  for (const HloPosition& position : a.positions()) {
    if (position.instruction->IsRoot() &&
        call_graph_->InstructionIsNestedIn(b.instruction(),
                                           position.instruction->parent())) {
      return false;
    }
  }
  std::vector<const HloUse*> uses;
  for (const HloUse& use : a.GetUses()) {
    if (!dataflow.DoesNotUseOperandBuffer(a.instruction(), a.index(),
                                          use.instruction)) {
      uses.push_back(&use);
    }
  }
  return UsesBeforeValueDefinition(uses, b, dataflow, alias_info,
                                   use_is_always_before_def_in_same_instr);
}

bool HloOrdering::MayInterfere(const HloValue& a, const HloValue& b,
                               const HloDataflowAnalysis& dataflow,
                               const AliasInfo* alias_info) const {
  return !LiveRangeStrictlyBefore(a, b, dataflow, alias_info) &&
         !LiveRangeStrictlyBefore(b, a, dataflow, alias_info);
}

}  // namespace xla
