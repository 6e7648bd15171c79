// Grows the region from the product along uses, and from what it reaches along
// operands.
#include "xla/hlo/transforms/linear/score_region.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// How many times as many elements scores have as the operands of their product.
constexpr int64_t kLeastGrowth = 4;

bool IsStaticArray(const HloInstruction& hlo) {
  return hlo.shape().IsArray() && hlo.shape().is_static();
}

// Whether a block of the result is the op of blocks of the operands, without
// looking at dimensions.
bool WorksOnBlocks(const HloInstruction& hlo) {
  if (!IsStaticArray(hlo) || hlo.HasControlDependencies() ||
      hlo.HasSideEffect()) {
    return false;
  }
  switch (hlo.opcode()) {
    case HloOpcode::kBroadcast:
    case HloOpcode::kIota:
    case HloOpcode::kReshape:
    case HloOpcode::kTranspose:
      return true;
    case HloOpcode::kReduce:
      return hlo.operand_count() == 2;
    default:
      return hlo.IsElementwiseOp() && hlo.operand_count() > 0;
  }
}

class RegionFinder {
 public:
  explicit RegionFinder(Hlo product)
      : least_(ShapeUtil::ElementsIn(product->shape())),
        order_(product->parent()->MakeInstructionPostOrder()) {
    Take(product, /*depends=*/true);
  }

  std::optional<ScoreRegion> Find() {
    while (!queue_.empty()) {
      Hlo hlo = queue_.back();
      queue_.pop_back();
      if (!TakeAround(hlo)) return std::nullopt;
    }
    ScoreRegion region;
    for (Hlo hlo : order_) {
      if (members_.contains(hlo)) region.members.push_back(hlo);
    }
    if (!FindResults(region)) return std::nullopt;
    return region;
  }

 private:
  bool IsLarge(const HloInstruction& hlo) const {
    return IsStaticArray(hlo) && ShapeUtil::ElementsIn(hlo.shape()) >= least_;
  }

  // Whether a large op may be a member.
  bool IsUsable(const HloInstruction& hlo) const {
    if (hlo.opcode() != HloOpcode::kDot) return WorksOnBlocks(hlo);
    return !hlo.HasControlDependencies() &&
           absl::c_none_of(hlo.operands(),
                           [&](Hlo operand) { return IsLarge(*operand); });
  }

  void Take(Hlo hlo, bool depends) {
    bool is_new = members_.insert(hlo).second;
    if (depends) is_new |= dependent_.insert(hlo).second;
    if (is_new) queue_.push_back(hlo);
  }

  bool TakeAround(Hlo hlo) {
    for (Hlo operand : hlo->operands()) {
      if (members_.contains(operand)) continue;
      if (IsLarge(*operand)) {
        if (!IsUsable(*operand)) continue;  // is read block by block
        Take(operand, operand->opcode() == HloOpcode::kDot);
      } else {
        TakeDerived(operand);
      }
    }
    if (!dependent_.contains(hlo) || !IsLarge(*hlo)) return true;
    for (Hlo user : hlo->users()) {
      if (!IsLarge(*user)) continue;
      if (!IsUsable(*user)) return false;
      Take(user, /*depends=*/true);
    }
    return !hlo->IsRoot();
  }

  // Takes a small value that is computed from large members, with what is
  // between.
  void TakeDerived(Hlo hlo) {
    if (!IsDerived(hlo)) return;
    std::vector<Hlo> values = {hlo};
    while (!values.empty()) {
      Hlo value = values.back();
      values.pop_back();
      if (IsLarge(*value) || !IsDerived(value)) continue;
      if (dependent_.contains(value)) continue;
      Take(value, /*depends=*/true);
      values.insert(values.end(), value->operands().begin(),
                    value->operands().end());
    }
  }

  bool IsDerived(Hlo hlo) {
    std::vector<Hlo> path = {hlo};
    while (!path.empty()) {
      Hlo value = path.back();
      const auto [it, is_new] = derived_.try_emplace(value, false);
      if (is_new && !IsLarge(*value) && WorksOnBlocks(*value)) {
        for (Hlo operand : value->operands()) {
          if (!IsLarge(*operand) && !derived_.contains(operand)) {
            path.push_back(operand);
          }
        }
        continue;
      }
      path.pop_back();
      if (IsLarge(*value) || !WorksOnBlocks(*value)) continue;
      bool derived = false;
      for (Hlo operand : value->operands()) {
        derived |= IsLarge(*operand) ? value->opcode() == HloOpcode::kReduce
                                     : derived_[operand];
      }
      derived_[value] = derived;
    }
    return derived_[hlo];
  }

  // Finds what is read outside, and the stage of each.
  bool FindResults(ScoreRegion& region) {
    absl::flat_hash_set<const HloInstruction*> results;
    for (Hlo hlo : region.members) {
      if (!dependent_.contains(hlo)) continue;
      const bool is_large = IsLarge(*hlo);
      if (hlo->IsRoot()) results.insert(hlo);
      for (Hlo user : hlo->users()) {
        if (members_.contains(user)) continue;
        if (!is_large) {
          results.insert(hlo);
        } else if (user->opcode() == HloOpcode::kDot ||
                   (user->opcode() == HloOpcode::kReduce &&
                    WorksOnBlocks(*user))) {
          results.insert(user);
        } else {
          return false;
        }
      }
    }
    absl::flat_hash_map<const HloInstruction*, size_t> stage_of;
    for (Hlo hlo : order_) {
      size_t stage = 0;
      const auto comes_after = [&](const HloInstruction* before) {
        const bool inside = members_.contains(before) && members_.contains(hlo);
        stage = std::max(
            stage, stage_of[before] + (results.contains(before) && !inside));
      };
      absl::c_for_each(hlo->operands(), comes_after);
      absl::c_for_each(hlo->control_predecessors(), comes_after);
      stage_of[hlo] = stage;
      if (!results.contains(hlo)) continue;
      if (hlo->HasControlDependencies()) return false;
      region.stages.resize(std::max(region.stages.size(), stage + 1));
      region.stages[stage].push_back(hlo);
    }
    return true;
  }

  const int64_t least_;
  const std::vector<Hlo> order_;
  absl::flat_hash_set<const HloInstruction*> members_;
  // Those that depend on a product.
  absl::flat_hash_set<const HloInstruction*> dependent_;
  absl::flat_hash_map<const HloInstruction*, bool> derived_;
  std::vector<Hlo> queue_;
};

}  // namespace

bool IsScoreProduct(const HloInstruction& hlo, int64_t least) {
  if (hlo.opcode() != HloOpcode::kDot || !IsStaticArray(hlo)) return false;
  const int64_t elements = ShapeUtil::ElementsIn(hlo.shape());
  return elements >= least &&
         absl::c_all_of(hlo.operands(), [&](const HloInstruction* operand) {
           return IsStaticArray(*operand) &&
                  ShapeUtil::ElementsIn(operand->shape()) <=
                      elements / kLeastGrowth;
         });
}

std::vector<HloInstruction*> ScoreRegion::MembersFor(
    const std::vector<HloInstruction*>& results) const {
  absl::flat_hash_set<const HloInstruction*> needed(results.begin(),
                                                    results.end());
  std::vector<HloInstruction*> found;
  const auto need_operands = [&](const HloInstruction* hlo) {
    needed.insert(hlo->operands().begin(), hlo->operands().end());
  };
  absl::c_for_each(results, need_operands);
  for (auto it = members.rbegin(); it != members.rend(); ++it) {
    if (!needed.contains(*it)) continue;
    need_operands(*it);
    found.push_back(*it);
  }
  absl::c_reverse(found);
  return found;
}

std::optional<ScoreRegion> FindScoreRegion(HloInstruction* product) {
  return RegionFinder(product).Find();
}

}  // namespace xla
