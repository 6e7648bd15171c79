// Finds constant expressions and copies them.
#include "xla/hlo/transforms/sharding/constant_splitter.h"

#include <algorithm>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/sharding/program_order.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"

namespace xla {
namespace {

// The arrays of an expression. Copies of larger ones would cost more than they
// save, and this bounds the recursion.
constexpr int kMaxArrays = 16;

bool IsScalarBroadcast(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kBroadcast &&
         hlo.operand(0)->shape().dimensions().empty() &&
         !hlo.shape().dimensions().empty();
}

// Puts its operand into a group and has no users of its own.
bool IsDanglingMarker(const HloInstruction& hlo) {
  return hlo.user_count() == 0 && !hlo.IsRoot() && IsGroupMarker(hlo);
}

}  // namespace

bool KeepsConstants(const HloInstruction& hlo) {
  if (hlo.HasSideEffectNoRecurse() || !hlo.called_computations().empty()) {
    return false;
  }
  switch (hlo.opcode()) {
    case HloOpcode::kConstant:
    case HloOpcode::kIota:
    case HloOpcode::kBroadcast:
    case HloOpcode::kReshape:
    case HloOpcode::kTranspose:
    case HloOpcode::kSlice:
    case HloOpcode::kPad:
    case HloOpcode::kReverse:
    case HloOpcode::kConcatenate:
      return true;
    default:
      return hlo.IsElementwiseOp() && hlo.operand_count() > 0;
  }
}

absl::Status ConstantSplitter::Split(HloComputation* computation) {
  // The arrays that an expression consists of, as a tree. A scalar has no
  // dimensions to divide, so that all users may share it, and counts 0.
  absl::flat_hash_map<const HloInstruction*, int> sizes;
  const std::vector<HloInstruction*> order = DepthFirstOrder(*computation);
  for (const HloInstruction* hlo : order) {
    if (!hlo->shape().IsArray() || hlo->has_sharding() ||
        !KeepsConstants(*hlo)) {
      continue;
    }
    int size = hlo->shape().dimensions().empty() ? 0 : 1;
    if (IsScalarBroadcast(*hlo)) {
      // The scalar need not be constant: it is not divided.
      sizes[hlo] = size;
      constants_.insert(hlo);
      continue;
    }
    for (const HloInstruction* operand : hlo->operands()) {
      const auto it = sizes.find(operand);
      size += it == sizes.end() ? kMaxArrays + 1 : it->second;
      if (size > kMaxArrays) break;
    }
    if (size > kMaxArrays) continue;
    sizes[hlo] = size;
    if (size > 0) constants_.insert(hlo);
  }
  for (HloInstruction* user : order) {
    if (IsConstant(user) || IsDanglingMarker(*user)) continue;
    for (int64_t i = 0; i < user->operand_count(); ++i) {
      HloInstruction* operand = user->mutable_operand(i);
      if (!IsConstant(operand)) continue;
      if (IsUnused(operand)) {
        MarkUsed(operand);
      } else {
        TF_RETURN_IF_ERROR(user->ReplaceOperandWith(i, Copy(operand)));
      }
    }
  }
  return absl::OkStatus();
}

bool ConstantSplitter::IsUnused(const HloInstruction* hlo) const {
  return !used_.contains(hlo) &&
         absl::c_all_of(hlo->operands(), [&](const HloInstruction* operand) {
           return !IsConstant(operand) || IsUnused(operand);
         });
}

void ConstantSplitter::MarkUsed(const HloInstruction* hlo) {
  if (!used_.insert(hlo).second) return;
  for (const HloInstruction* operand : hlo->operands()) {
    if (IsConstant(operand)) MarkUsed(operand);
  }
}

HloInstruction* ConstantSplitter::Copy(HloInstruction* hlo) {
  std::vector<HloInstruction*> operands;
  for (HloInstruction* operand : hlo->operands()) {
    operands.push_back(IsConstant(operand) ? Copy(operand) : operand);
  }
  HloInstruction* copy = hlo->parent()->AddInstruction(
      hlo->CloneWithNewOperands(hlo->shape(), operands));
  copies_.push_back({hlo, copy});
  // The copy is in the groups of the original.
  const std::vector<HloInstruction*> users = hlo->users();
  for (const HloInstruction* user : users) {
    if (!IsDanglingMarker(*user)) continue;
    hlo->parent()->AddInstruction(
        user->CloneWithNewOperands(user->shape(), {copy}));
  }
  return copy;
}

absl::Status ConstantSplitter::Merge() {
  auto same_sharding = [](const HloInstruction& a, const HloInstruction& b) {
    if (a.has_sharding() != b.has_sharding()) return false;
    return !a.has_sharding() || a.sharding_proto().SerializeAsString() ==
                                    b.sharding_proto().SerializeAsString();
  };
  absl::flat_hash_map<const HloInstruction*, std::vector<HloInstruction*>> kept;
  for (const auto& [original, copy] : copies_) {
    std::vector<HloInstruction*>& candidates = kept[original];
    if (candidates.empty()) candidates.push_back(original);
    const auto same =
        absl::c_find_if(candidates, [&, copy = copy](HloInstruction* other) {
          return other->operands() == copy->operands() &&
                 same_sharding(*other, *copy);
        });
    if (same == candidates.end()) {
      candidates.push_back(copy);
      continue;
    }
    TF_RETURN_IF_ERROR(copy->ReplaceAllUsesWith(*same));
    TF_RETURN_IF_ERROR(copy->parent()->RemoveInstruction(copy));
  }
  copies_.clear();
  return absl::OkStatus();
}

}  // namespace xla
