// Questions about single instructions, their operands and users.
#ifndef COMPAT_XLA_HLO_UTILS_QUERY_INSTRUCTION_QUERY_H_
#define COMPAT_XLA_HLO_UTILS_QUERY_INSTRUCTION_QUERY_H_

#include <cstdint>

#include "absl/algorithm/container.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/literal.h"
#include "xla/shape_util.h"
#include "xla/util.h"

namespace xla {
namespace hlo_query {

// Whether it is a constant f32[]; sets `out` if so.
inline bool IsConstantR0F32(HloInstruction* instruction, float* out) {
  if (instruction->opcode() != HloOpcode::kConstant ||
      !ShapeUtil::IsScalarWithElementType(instruction->shape(), F32)) {
    return false;
  }
  *out = instruction->literal().Get<float>({});
  return true;
}
inline bool AllOperandsAreParametersOrConstants(
    const HloInstruction& instruction) {
  return absl::c_all_of(instruction.operands(), [](const HloInstruction* hlo) {
    return HloPredicateIsOp<HloOpcode::kParameter, HloOpcode::kConstant>(hlo);
  });
}
inline bool AllOperandsAreParametersOrConstantsWithSingleUser(
    const HloInstruction& instruction) {
  return AllOperandsAreParametersOrConstants(instruction) &&
         absl::c_all_of(instruction.operands(), [](const HloInstruction* hlo) {
           return hlo->user_count() == 1;
         });
}
inline bool AllOperandsAreParameters(const HloInstruction& instruction) {
  return absl::c_all_of(instruction.operands(),
                        HloPredicateIsOp<HloOpcode::kParameter>);
}
inline bool AllOperandsAreConstants(const HloInstruction& instruction) {
  return absl::c_all_of(instruction.operands(),
                        HloPredicateIsOp<HloOpcode::kConstant>);
}
inline bool IsScalarConstant(const HloInstruction* instruction) {
  return instruction->IsConstant() && ShapeUtil::IsScalar(instruction->shape());
}
// A constant or a scalar, or the broadcast of one.
inline bool IsBroadcastedConstantOrScalar(const HloInstruction& instr) {
  auto is_either = [](const HloInstruction& hlo) {
    return hlo.IsConstant() || ShapeUtil::IsScalar(hlo.shape());
  };
  return is_either(instr) || (instr.opcode() == HloOpcode::kBroadcast &&
                              is_either(*instr.operand(0)));
}
inline bool IsBroadcastOfScalarConstant(const HloInstruction& instr) {
  return instr.opcode() == HloOpcode::kBroadcast &&
         IsScalarConstant(instr.operand(0));
}
inline bool IsBroadcastOfParameter(const HloInstruction& instr) {
  return instr.opcode() == HloOpcode::kBroadcast &&
         instr.operand(0)->opcode() == HloOpcode::kParameter;
}
// A parameter, or a chain of bitcast and get-tuple-element from one.
inline bool IsEffectiveParameter(const HloInstruction& instr) {
  const HloInstruction* hlo = &instr;
  while (
      HloPredicateIsOp<HloOpcode::kBitcast, HloOpcode::kGetTupleElement>(hlo)) {
    hlo = hlo->operand(0);
  }
  return hlo->opcode() == HloOpcode::kParameter;
}

// The first operand that fits, or null.
inline HloInstruction* GetMatchingOperand(const HloPredicate& matcher,
                                          HloInstruction* instruction) {
  for (HloInstruction* operand : instruction->operands()) {
    if (matcher(operand)) return operand;
  }
  return nullptr;
}
// Whether one of two operands (CHECK) fits; sets it, the first one if both do,
// and the other one.
inline bool MatchBinaryInstructionOperand(const HloPredicate& matcher,
                                          HloInstruction* instruction,
                                          HloInstruction** matching_operand,
                                          HloInstruction** other_operand) {
  CHECK_EQ(instruction->operand_count(), 2);
  for (int i = 0; i < 2; ++i) {
    if (!matcher(instruction->operand(i))) continue;
    *matching_operand = instruction->mutable_operand(i);
    *other_operand = instruction->mutable_operand(1 - i);
    return true;
  }
  return false;
}
inline bool MatchBinaryInstructionOperandOpcode(
    HloOpcode opcode, HloInstruction* instruction,
    HloInstruction** matching_operand, HloInstruction** other_operand) {
  return MatchBinaryInstructionOperand(
      [opcode](const HloInstruction* hlo) { return hlo->opcode() == opcode; },
      instruction, matching_operand, other_operand);
}

// The one get-tuple-element of that element; null for none or several.
inline HloInstruction* GetUniqueGteInstruction(const HloInstruction* operand,
                                               int64_t index) {
  HloInstruction* unique = nullptr;
  for (HloInstruction* user : operand->users()) {
    if (user->opcode() != HloOpcode::kGetTupleElement ||
        user->tuple_index() != index) {
      continue;
    }
    if (unique != nullptr) return nullptr;
    unique = user;
  }
  return unique;
}
// Whether it is the fusion of a copy alone that changes tiles.
inline bool IsChangeTilingCopyFusion(const HloInstruction* instr) {
  if (instr->opcode() != HloOpcode::kFusion ||
      instr->fused_instructions_computation()->instruction_count() != 2) {
    return false;
  }
  const HloInstruction* root = instr->fused_expression_root();
  if (root->opcode() != HloOpcode::kCopy ||
      root->operand(0)->opcode() != HloOpcode::kParameter) {
    return false;
  }
  const Shape& from = root->operand(0)->shape();
  return root->shape().has_layout() && from.has_layout() &&
         root->shape().layout().tiles() != from.layout().tiles();
}

}  // namespace hlo_query
}  // namespace xla

#endif  // COMPAT_XLA_HLO_UTILS_QUERY_INSTRUCTION_QUERY_H_
