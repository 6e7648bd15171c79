// Recognizes forms of reducers.
#include "xla/hlo/analysis/reducers.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Whether the instruction is a commutative op of the accumulator and the value
// of result `i` of `k`.
bool IsOneOp(const HloInstruction& result, int64_t i, int64_t k) {
  if (!result.def().commutative) return false;
  const HloInstruction* x = result.operand(0);
  const HloInstruction* y = result.operand(1);
  if (x->opcode() != HloOpcode::kParameter ||
      y->opcode() != HloOpcode::kParameter) {
    return false;
  }
  const int64_t a = x->parameter_number();
  const int64_t b = y->parameter_number();
  return std::min(a, b) == i && std::max(a, b) == k + i;
}

// Whether the op only selects, or computes what a selection needs.
bool Chooses(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kAnd:
    case HloOpcode::kCompare:
    case HloOpcode::kConstant:
    case HloOpcode::kMaximum:
    case HloOpcode::kMinimum:
    case HloOpcode::kNot:
    case HloOpcode::kOr:
    case HloOpcode::kParameter:
    case HloOpcode::kSelect:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<HloOpcode> OneOpOf(const HloComputation& reducer) {
  const HloInstruction* root = reducer.root_instruction();
  if (reducer.num_parameters() != 2 || !IsOneOp(*root, 0, 1)) {
    return std::nullopt;
  }
  for (const HloInstruction* operand : root->operands()) {
    if (!ShapeUtil::SameElementType(operand->shape(), root->shape())) {
      return std::nullopt;
    }
  }
  return root->opcode();
}

bool MayRegroup(const HloComputation& reducer) {
  const HloInstruction* root = reducer.root_instruction();
  const bool is_tuple = root->opcode() == HloOpcode::kTuple;
  const int64_t k = is_tuple ? root->operand_count() : 1;
  absl::flat_hash_set<const HloInstruction*> known = {root};
  for (int64_t i = 0; i < k; ++i) {
    const HloInstruction* result = is_tuple ? root->operand(i) : root;
    if (IsOneOp(*result, i, k)) {
      known.insert(result);
    } else if (!Chooses(*result)) {
      return false;
    }
  }
  for (const auto& instruction : reducer.instructions()) {
    if (!known.contains(instruction) && !Chooses(*instruction)) {
      return false;
    }
  }
  return true;
}

}  // namespace xla
