// The members of HloDataflowAnalysis that answer whether an op may write over
// an operand.
#include <optional>

#include "absl/algorithm/container.h"
#include "xla/base/logging.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/values/hlo_dataflow_analysis.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

bool HloDataflowAnalysis::IsAsynchronousOperationStart(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kCopyStart:
    case HloOpcode::kRecv:
    case HloOpcode::kSend:
      return true;
    default:
      return false;
  }
}

bool HloDataflowAnalysis::IsAsynchronousOperationDone(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kCopyDone:
    case HloOpcode::kRecvDone:
    case HloOpcode::kSendDone:
      return true;
    default:
      return false;
  }
}

std::vector<std::pair<HloOperandIndex, ShapeIndex>>
HloDataflowAnalysis::GetInPlaceInputOutputPairs(
    const HloInstruction* instruction) {
  return AliasInfo().GetInPlaceInputOutputPairs(instruction);
}

bool HloDataflowAnalysis::DoesNotUseOperandBuffer(
    const HloInstruction* operand, const ShapeIndex& index,
    const HloInstruction* user) const {
  for (const HloValue* value : GetValueSet(operand, index).values()) {
    for (const HloUse& use : value->GetUses()) {
      if (use.instruction != user) continue;
      if (!user->IsLoopFusion()) return false;
      const HloInstruction* parameter =
          user->fused_parameter(use.operand_number);
      return GetValueDefinedAt(parameter, use.operand_index).GetUses().empty();
    }
  }
  return true;
}

bool HloDataflowAnalysis::MustShare(const HloInstruction* operand,
                                    const ShapeIndex& operand_index,
                                    const HloInstruction* user,
                                    const ShapeIndex& user_index,
                                    const AliasInfo& alias_info) const {
  for (const auto& [input, output_index] :
       alias_info.GetInPlaceInputOutputPairs(user)) {
    if (output_index != user_index) continue;
    for (const HloValue* value : GetValueSet(operand, operand_index).values()) {
      for (const HloUse& use : value->GetUses()) {
        if (use.instruction == user &&
            use.operand_number == input.operand_number &&
            use.operand_index == input.operand_index) {
          return true;
        }
      }
    }
  }
  return false;
}

// Whether all that depends on the parameter, up to tuples, needs each element
// at its own place only.
bool HloDataflowAnalysis::UsesAreElementwise(
    const HloInstruction& parameter) const {
  absl::flat_hash_set<const HloInstruction*> seen = {&parameter};
  std::vector<const HloInstruction*> work = {&parameter};
  while (!work.empty()) {
    const HloInstruction* hlo = work.back();
    work.pop_back();
    for (const HloInstruction* user : hlo->users()) {
      for (const int64_t i : user->OperandIndices(hlo)) {
        if (user->opcode() != HloOpcode::kTuple &&
            !user->IsElementwiseOnOperand(i)) {
          return false;
        }
      }
      if (seen.insert(user).second) work.push_back(user);
    }
  }
  return true;
}

// Sets `result`, and returns true, if the fusion's kind decides. An output
// fusion that ends in an add of a product may write over the other summand.
bool HloDataflowAnalysis::CanShareWithFusion(HloInstruction* operand,
                                             const ShapeIndex& operand_index,
                                             const HloInstruction& fusion,
                                             bool& result) const {
  const HloInstruction* parameter =
      fusion.fused_parameter(fusion.operand_index(operand));
  if (fusion.IsLoopFusion() || fusion.IsInputFusion()) {
    result = UsesAreElementwise(*parameter);
    return true;
  }
  const HloInstruction* root = fusion.fused_expression_root();
  if (!fusion.IsOutputFusion() || root->opcode() != HloOpcode::kAdd) {
    return false;
  }
  result = false;
  const auto is_product = [](const HloInstruction* hlo) {
    return hlo->opcode() == HloOpcode::kConvolution ||
           hlo->opcode() == HloOpcode::kDot;
  };
  const auto product = absl::c_find_if(root->operands(), is_product);
  if (product == root->operands().end()) return true;
  const int64_t other = *product == root->operand(0) ? 1 : 0;
  const auto uses = GetValueDefinedAt(parameter, operand_index).GetUses();
  result = uses.size() == 1 && uses[0].instruction == root &&
           uses[0].operand_number == other;
  return true;
}

// Only the call and the root of the callee use the operand, element by element.
bool HloDataflowAnalysis::CanShareWithCall(const HloInstruction* operand,
                                           const ShapeIndex& operand_index,
                                           const HloInstruction& call) const {
  if (!ValueIsDefinedAt(operand, operand_index)) return false;
  const auto uses = GetValueDefinedAt(operand, operand_index).GetUses();
  const HloInstruction* root = call.to_apply()->root_instruction();
  return uses.size() == 2 &&
         absl::c_any_of(
             uses,
             [&](const HloUse& use) { return use.instruction == &call; }) &&
         absl::c_any_of(uses, [&](const HloUse& use) {
           return use.instruction == root &&
                  root->IsElementwiseOnOperand(use.operand_number);
         });
}

bool HloDataflowAnalysis::CanShareOperandBufferWithUser(
    HloInstruction* operand, const ShapeIndex& operand_index,
    HloInstruction* user, const ShapeIndex& user_index,
    const AliasInfo* alias_info) const {
  CHECK(user->IsUserOf(operand))
      << user->name() << " does not use " << operand->name();
  if (operand->opcode() == HloOpcode::kConstant) return false;
  const bool same_shape =
      ShapeUtil::Equal(ShapeUtil::GetSubshape(operand->shape(), operand_index),
                       ShapeUtil::GetSubshape(user->shape(), user_index));
  if (same_shape &&
      MustShare(operand, operand_index, user, user_index, *alias_info)) {
    return true;
  }
  if (const std::optional<bool> hint =
          alias_info->MayAlias(operand, operand_index, user, user_index)) {
    return *hint;
  }
  if (!same_shape) return false;
  const auto places = user->OperandIndices(operand);
  switch (user->opcode()) {
    case HloOpcode::kFusion: {
      bool result;
      if (CanShareWithFusion(operand, operand_index, *user, result)) {
        return result;
      }
      break;
    }
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
      // What the computations do with it is decided there.
      return true;
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kScatter:
    case HloOpcode::kSetDimensionSize:
      return places.size() == 1 && places[0] == 0;
    case HloOpcode::kTriangularSolve:
      return places.size() == 1 && places[0] == 1;
    case HloOpcode::kSort:
      if (operand->users().size() != 1) return false;
      if (user->operand_count() == 1) return true;
      return places.size() == 1 && !user_index.empty() &&
             user_index[0] == places[0];
    case HloOpcode::kCall:
      return CanShareWithCall(operand, operand_index, *user);
    default:
      break;
  }
  return user->IsElementwiseOnOperand(places[0]);
}

}  // namespace xla
