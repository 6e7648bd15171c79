// Plans all loops of a region before it adds one.
#include "xla/hlo/transforms/linear/attention_rematerialization.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/linear/block_loop.h"
#include "xla/hlo/transforms/linear/generated_arrays.h"
#include "xla/hlo/transforms/linear/score_region.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Of a product that is computed again, the most elements that it may sum over,
// the features of a head, and the least number of dots in the loop for each
// such product: the gradients of attention have five. Beyond these limits it
// would take a large part of the time.
constexpr int64_t kMostDepth = 256;
constexpr int64_t kDotsPerProduct = 4;
// Blocks of long rows may be larger than wanted by this factor, and must be
// smaller than the whole by the other one.
constexpr int64_t kMostExcess = 32;
constexpr int64_t kLeastBlocks = 2;

// The number of elements that each sum of a dot adds up.
int64_t DepthOf(const HloInstruction& dot) {
  const DotDimensionNumbers& numbers =
      dot.attrs<DotAttrs>().dot_dimension_numbers;
  int64_t depth = 1;
  for (const int64_t d : numbers.lhs_contracting_dimensions()) {
    depth *= dot.operand(0)->shape().dimensions(static_cast<int>(d));
  }
  return depth;
}

std::vector<Hlo> DotsOf(const std::vector<Hlo>& ops) {
  std::vector<Hlo> dots;
  absl::c_copy_if(ops, std::back_inserter(dots), [](const HloInstruction* hlo) {
    return hlo->opcode() == HloOpcode::kDot;
  });
  return dots;
}

// Returns the numbers of the stages that are to be loops: those with a product
// that several of their results need, or that an earlier stage needs too.
// Nullopt if computing the latter again is too expensive.
std::optional<std::vector<size_t>> StagesToDivide(const ScoreRegion& region) {
  absl::flat_hash_set<const HloInstruction*> before;
  std::vector<size_t> stages;
  for (size_t s = 0; s < region.stages.size(); ++s) {
    absl::flat_hash_map<const HloInstruction*, int> uses;
    for (Hlo result : region.stages[s]) {
      for (Hlo product : DotsOf(region.MembersFor({result}))) {
        ++uses[product];
      }
    }
    const int64_t dots = uses.size() + DotsOf(region.stages[s]).size();
    int64_t again = 0;
    bool divides = false;
    for (const auto& [product, count] : uses) {
      divides |= count > 1;
      if (before.insert(product).second) continue;
      ++again;
      if (DepthOf(*product) > kMostDepth) return std::nullopt;
    }
    if (again > dots / kDotsPerProduct) return std::nullopt;
    divides |= again > 0;
    if (divides) stages.push_back(s);
  }
  return stages;
}

class RegionDivider {
 public:
  RegionDivider(int64_t block_elements, int64_t block_rows)
      : block_elements_(block_elements), block_rows_(block_rows) {}

  // Returns false if the region is to stay as it is.
  absl::StatusOr<bool> Divide(Hlo product, ScoreRegion region) const {
    auto stages = StagesToDivide(region);
    if (!stages.has_value() || stages->empty()) return false;
    TF_ASSIGN_OR_RETURN(const bool generated, GenerateInPlace(region.members));
    if (generated) {
      std::optional<ScoreRegion> found = FindScoreRegion(product);
      if (!found.has_value()) return true;
      region = *std::move(found);
      stages = StagesToDivide(region);
      if (!stages.has_value()) return true;
    }
    std::vector<BlockPlan> plans;
    for (const size_t stage : *stages) {
      auto plan = Plan(region, region.stages[stage]);
      if (!plan.has_value()) return generated;
      plans.push_back(*std::move(plan));
    }
    for (auto plan = plans.rbegin(); plan != plans.rend(); ++plan) {
      TF_RETURN_IF_ERROR(Replace(*plan));
    }
    return true;
  }

 private:
  std::optional<BlockPlan> Plan(const ScoreRegion& region,
                                const std::vector<Hlo>& results) const {
    std::vector<Hlo> members = region.MembersFor(results);
    BlockAxes axes(members, results);
    BlockPlan plan = {std::move(members), results, std::move(axes), {}};
    if (!ChooseBlocks(plan)) return std::nullopt;
    return plan;
  }

  // Divides batch dimensions first, whose blocks share nothing, then rows.
  bool ChooseBlocks(BlockPlan& plan) const {
    const std::vector<Hlo> products = DotsOf(plan.members);
    const HloInstruction& product = *products[0];
    const int64_t all = ShapeUtil::ElementsIn(product.shape());
    int64_t least_large = all;
    for (const HloInstruction* other : products) {
      least_large =
          std::min(least_large, ShapeUtil::ElementsIn(other->shape()));
    }
    const int64_t batch =
        product.attrs<DotAttrs>()
            .dot_dimension_numbers.lhs_batch_dimensions_size();
    int64_t elements = all;
    for (int64_t d = 0; d < product.shape().rank(); ++d) {
      if (elements <= block_elements_) break;
      const int64_t size = product.shape().dimensions(static_cast<int>(d));
      const int axis = plan.axes.OfResult(product, d);
      if (axis == BlockAxes::kNone || !plan.axes.CanBeDivided(axis) ||
          !AllHave(plan, axis, least_large)) {
        continue;
      }
      const int64_t rest = elements / size;
      int64_t least = d < batch ? 1 : std::min(size, block_rows_);
      least = std::max(least, std::min(size, block_elements_ / rest));
      const int64_t block = DivisorNear(size, least);
      if (block == size) continue;
      plan.divided.push_back({axis, size, block});
      elements = rest * block;
    }
    return elements <= all / kLeastBlocks &&
           elements / kMostExcess <= block_elements_;
  }

  // Returns the divisor of `size` closest to `wanted` from below if it is at
  // least half of that, else the next one.
  static int64_t DivisorNear(int64_t size, int64_t wanted) {
    for (int64_t d = wanted; d > wanted / 2; --d) {
      if (size % d == 0) return d;
    }
    int64_t d = wanted;
    while (size % d != 0) ++d;
    return d;
  }

  // Whether all members of at least so many elements have the axis: others
  // would be computed again for each of its blocks.
  static bool AllHave(const BlockPlan& plan, int axis, int64_t elements) {
    return absl::c_all_of(plan.members, [&](const HloInstruction* hlo) {
      if (ShapeUtil::ElementsIn(hlo->shape()) < elements) return true;
      for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
        if (plan.axes.OfResult(*hlo, d) == axis) return true;
      }
      return false;
    });
  }

  static absl::Status Replace(const BlockPlan& plan) {
    TF_ASSIGN_OR_RETURN(std::vector<Hlo> values, ComputeInBlocks(plan));
    const absl::flat_hash_set<const HloInstruction*> members(
        plan.members.begin(), plan.members.end());
    for (size_t i = 0; i < values.size(); ++i) {
      Hlo result = plan.results[i];
      // The loop is no user of a member.
      for (Hlo user : std::vector<Hlo>(result->users())) {
        if (members.contains(user)) continue;
        TF_RETURN_IF_ERROR(result->ReplaceUseWith(user, values[i]));
      }
      if (result->IsRoot()) result->parent()->set_root_instruction(values[i]);
      if (result->user_count() > 0) continue;
      TF_RETURN_IF_ERROR(
          result->parent()->RemoveInstructionAndUnusedOperands(result));
    }
    return absl::OkStatus();
  }

  const int64_t block_elements_, block_rows_;
};

}  // namespace

absl::StatusOr<bool> AttentionRematerialization::RunImpl(HloModule* module) {
  bool changed = false;
  const RegionDivider divider(block_elements_, block_rows_);
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    absl::flat_hash_set<int64_t> seen;
    const auto next_product = [&]() -> Hlo {
      for (const auto& hlo : computation->instructions()) {
        if (IsScoreProduct(*hlo, min_elements_) &&
            seen.insert(hlo->unique_id()).second) {
          return hlo;
        }
      }
      return nullptr;
    };
    while (Hlo product = next_product()) {
      std::optional<ScoreRegion> region = FindScoreRegion(product);
      if (!region.has_value()) continue;
      for (Hlo hlo : region->members) seen.insert(hlo->unique_id());
      TF_ASSIGN_OR_RETURN(const bool divided,
                          divider.Divide(product, *std::move(region)));
      changed |= divided;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
