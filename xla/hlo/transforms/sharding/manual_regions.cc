// Joins instructions to components, and finds their axes from one boundary to
// the next.
#include "xla/hlo/transforms/sharding/manual_regions.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/sharding/constant_splitter.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"

namespace xla {
namespace {

bool CallsOnEveryPartition(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
      return true;
    default:
      return false;
  }
}

// Lists without order become those of the mesh, in normal form.
AxisList Ordered(AxisList axes) {
  absl::c_sort(axes);
  AxisList result;
  Append(axes, result);
  return result;
}

ManualRegion Without(const ManualRegion& region, const AxisList& axes) {
  ManualRegion result = {region.mesh, Difference(region.axes, axes)};
  if (result.axes.empty()) result.mesh = nullptr;
  return result;
}

absl::StatusOr<ManualRegion> With(const ManualRegion& region,
                                  const ManualRegion& more,
                                  const HloInstruction& hlo) {
  if (region.axes.empty()) return more;
  if (more.axes.empty()) return region;
  if (region.mesh != more.mesh) {
    return absl::UnimplementedError(absl::StrCat(
        hlo.name(), ": a manual computation in one over another mesh"));
  }
  AxisList axes = Difference(more.axes, region.axes);
  axes.insert(axes.end(), region.axes.begin(), region.axes.end());
  return ManualRegion{region.mesh, Ordered(std::move(axes))};
}

}  // namespace

class RegionFinder {
 public:
  RegionFinder(HloModule* module, ModuleShardings& shardings)
      : module_(module), shardings_(shardings) {}

  absl::StatusOr<ManualRegions> Run() {
    CollectComputations();
    for (HloComputation* computation : result_.computations_) {
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        AddNode(hlo);
      }
    }
    for (HloComputation* computation : result_.computations_) {
      for (const auto& hlo : computation->instructions()) {
        Connect(hlo);
      }
    }
    result_.regions_.resize(parents_.size());
    found_.resize(parents_.size());
    TF_RETURN_IF_ERROR(FindBoundaries());
    TF_RETURN_IF_ERROR(Resolve());
    TF_RETURN_IF_ERROR(PlaceConstants());
    return std::move(result_);
  }

 private:
  // Two components, the inner of which has more manual axes.
  struct Boundary {
    const HloInstruction* hlo;
    int32_t outer;
    int32_t inner;
    ManualRegion axes;
  };

  void CollectComputations() {
    std::vector<HloComputation*>& list = result_.computations_;
    list.push_back(module_->entry_computation());
    absl::flat_hash_set<const HloComputation*> seen = {list[0]};
    for (size_t i = 0; i < list.size(); ++i) {
      for (const auto& hlo : list[i]->instructions()) {
        if (!CallsOnEveryPartition(*hlo)) continue;
        for (HloComputation* called : hlo->called_computations()) {
          if (seen.insert(called).second) list.push_back(called);
        }
      }
    }
  }

  void AddNode(const HloInstruction* hlo) {
    const int32_t number = static_cast<int32_t>(parents_.size());
    result_.numbers_.emplace(hlo, number);
    parents_.push_back(number);
    instructions_.push_back(hlo);
    if (KeepsConstants(*hlo) &&
        absl::c_all_of(hlo->operands(), [&](const HloInstruction* operand) {
          return constants_.contains(operand);
        })) {
      constants_.insert(hlo);
    }
  }

  int32_t Root(int32_t node) {
    while (parents_[node] != node) {
      parents_[node] = parents_[parents_[node]];
      node = parents_[node];
    }
    return node;
  }
  int32_t Component(const HloInstruction* hlo) {
    return Root(result_.numbers_.at(hlo));
  }
  void Join(const HloInstruction* a, const HloInstruction* b) {
    const int32_t x = Component(a), y = Component(b);
    parents_[std::max(x, y)] = std::min(x, y);
  }

  void Connect(const HloInstruction* hlo) {
    if (CallsOnEveryPartition(*hlo)) {
      for (const HloComputation* called : hlo->called_computations()) {
        for (const HloInstruction* parameter :
             called->parameter_instructions()) {
          Join(hlo, parameter);
        }
        Join(hlo, called->root_instruction());
      }
    }
    const ShardingCall call = ShardingCallOf(*hlo);
    if (call == ShardingCall::kFullToShard ||
        call == ShardingCall::kShardToFull || constants_.contains(hlo)) {
      return;
    }
    for (const HloInstruction* operand : hlo->operands()) {
      if (operand->shape().IsToken() || constants_.contains(operand)) continue;
      Join(hlo, operand);
    }
  }

  // Returns the manual axes that the sharding of an instruction names.
  absl::StatusOr<ManualRegion> NamedAxes(const HloInstruction& hlo) {
    ManualRegion region;
    TF_ASSIGN_OR_RETURN(const auto stated, shardings_.Of(hlo));
    for (const ModuleShardings::Stated& each : stated) {
      if (!each.sharding.has_value() || each.sharding->manual.empty()) continue;
      region = {each.sharding->mesh, Ordered(each.sharding->manual)};
      break;
    }
    return region;
  }

  absl::Status FindBoundaries() {
    for (size_t node = 0; node < instructions_.size(); ++node) {
      const HloInstruction& hlo = *instructions_[node];
      const ShardingCall call = ShardingCallOf(hlo);
      if (call != ShardingCall::kFullToShard &&
          call != ShardingCall::kShardToFull) {
        continue;
      }
      const HloInstruction& operand = *hlo.operand(0);
      Boundary boundary = {&hlo, Component(&hlo), Component(&operand), {}};
      if (call == ShardingCall::kFullToShard) {
        std::swap(boundary.outer, boundary.inner);
        TF_ASSIGN_OR_RETURN(boundary.axes, NamedAxes(hlo));
      } else {
        TF_ASSIGN_OR_RETURN(const ManualRegion inside, NamedAxes(operand));
        TF_ASSIGN_OR_RETURN(const ManualRegion outside, NamedAxes(hlo));
        boundary.axes = Without(inside, outside.axes);
      }
      if (boundary.axes.axes.empty()) {
        return absl::InvalidArgumentError(absl::StrCat(
            hlo.name(), ": no sharding says which axes are manual here"));
      }
      boundaries_.push_back(std::move(boundary));
    }
    return absl::OkStatus();
  }

  // Sets the region of a component, or checks it if it is known.
  absl::Status Set(int32_t component, ManualRegion region,
                   const HloInstruction& hlo) {
    if (!found_[component]) {
      found_[component] = true;
      result_.regions_[component] = std::move(region);
      pending_.push_back(component);
      return absl::OkStatus();
    }
    if (result_.regions_[component] == region) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        hlo.name(), ": connects instructions with different manual axes"));
  }

  absl::Status Follow() {
    absl::flat_hash_map<int32_t, std::vector<const Boundary*>> by_component;
    for (const Boundary& boundary : boundaries_) {
      by_component[boundary.outer].push_back(&boundary);
      by_component[boundary.inner].push_back(&boundary);
    }
    while (!pending_.empty()) {
      const int32_t component = pending_.front();
      pending_.pop_front();
      const ManualRegion region = result_.regions_[component];
      for (const Boundary* boundary : by_component[component]) {
        if (boundary->outer == component) {
          TF_ASSIGN_OR_RETURN(ManualRegion inner,
                              With(region, boundary->axes, *boundary->hlo));
          TF_RETURN_IF_ERROR(
              Set(boundary->inner, std::move(inner), *boundary->hlo));
        }
        // What is named as manual may include the axes of the region around,
        // so that the outer one does not follow if it is known.
        if (boundary->inner == component && !found_[boundary->outer]) {
          TF_RETURN_IF_ERROR(Set(boundary->outer,
                                 Without(region, boundary->axes.axes),
                                 *boundary->hlo));
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status Resolve() {
    const HloComputation& entry = *result_.computations_[0];
    for (const HloInstruction* parameter : entry.parameter_instructions()) {
      TF_RETURN_IF_ERROR(Set(Component(parameter), {}, *parameter));
    }
    const HloInstruction& root = *entry.root_instruction();
    TF_RETURN_IF_ERROR(Set(Component(&root), {}, root));
    TF_RETURN_IF_ERROR(Follow());
    // What is not connected with the entry's values is where its caller is, or
    // where its sharding says.
    ManualRegion around;
    for (size_t i = 0; i < result_.computations_.size(); ++i) {
      const HloComputation& computation = *result_.computations_[i];
      const int32_t caller = Component(computation.root_instruction());
      around =
          i > 0 && found_[caller] ? result_.regions_[caller] : ManualRegion();
      for (const auto& hlo : computation.instructions()) {
        if (found_[Component(hlo)] || constants_.contains(hlo)) {
          continue;
        }
        TF_ASSIGN_OR_RETURN(const ManualRegion named, NamedAxes(*hlo));
        if (named.axes.empty()) continue;
        TF_ASSIGN_OR_RETURN(ManualRegion region, With(around, named, *hlo));
        TF_RETURN_IF_ERROR(Set(Component(hlo), std::move(region), *hlo));
        TF_RETURN_IF_ERROR(Follow());
      }
      for (const auto& hlo : computation.instructions()) {
        if (found_[Component(hlo)]) continue;
        TF_RETURN_IF_ERROR(Set(Component(hlo), around, *hlo));
        TF_RETURN_IF_ERROR(Follow());
      }
    }
    for (auto& [hlo, node] : result_.numbers_) node = Root(node);
    return absl::OkStatus();
  }

  // Puts each constant expression into the region of its users. What several
  // regions use is copied, users before operands, so that operands have the
  // users of all copies.
  absl::Status PlaceConstants() {
    for (HloComputation* computation : result_.computations_) {
      const std::vector<HloInstruction*> order =
          computation->MakeInstructionPostOrder();
      for (auto it = order.rbegin(); it != order.rend(); ++it) {
        HloInstruction* hlo = *it;
        if (!constants_.contains(hlo)) continue;
        TF_RETURN_IF_ERROR(PlaceConstant(hlo));
      }
    }
    return absl::OkStatus();
  }

  absl::Status PlaceConstant(HloInstruction* hlo) {
    std::vector<std::pair<int32_t, HloInstruction*>> copies;
    if (hlo->IsRoot()) copies.push_back({result_.numbers_.at(hlo), hlo});
    const std::vector<HloInstruction*> users = hlo->users();
    for (HloInstruction* user : users) {
      const int32_t number = RegionOfUse(*user);
      const auto copy = absl::c_find_if(copies, [&](const auto& each) {
        return result_.regions_[each.first] == result_.regions_[number];
      });
      if (copy != copies.end()) {
        if (copy->second == hlo) continue;
        TF_RETURN_IF_ERROR(hlo->ReplaceUseWith(user, copy->second));
        continue;
      }
      HloInstruction* placed = hlo;
      if (!copies.empty()) {
        placed = hlo->parent()->AddInstruction(
            hlo->CloneWithNewOperands(hlo->shape(), hlo->operands()));
        constants_.insert(placed);
        TF_RETURN_IF_ERROR(hlo->ReplaceUseWith(user, placed));
      }
      result_.numbers_[placed] = number;
      copies.push_back({number, placed});
    }
    return absl::OkStatus();
  }

  int32_t RegionOfUse(const HloInstruction& user) {
    const ShardingCall call = ShardingCallOf(user);
    const bool enters = call == ShardingCall::kFullToShard;
    if (!enters && call != ShardingCall::kShardToFull) {
      return result_.numbers_.at(&user);
    }
    // A boundary's operand is on the other side of it.
    const auto boundary = absl::c_find_if(
        boundaries_, [&](const Boundary& each) { return each.hlo == &user; });
    return Root(enters ? boundary->outer : boundary->inner);
  }

  HloModule* module_;
  ModuleShardings& shardings_;
  ManualRegions result_;
  std::vector<int32_t> parents_;  // of a forest of nodes
  std::vector<const HloInstruction*> instructions_;
  absl::flat_hash_set<const HloInstruction*> constants_;
  std::vector<Boundary> boundaries_;
  std::vector<bool> found_;  // by component
  std::deque<int32_t> pending_;
};

absl::StatusOr<ManualRegions> ManualRegions::Find(HloModule* module,
                                                  ModuleShardings& shardings) {
  return RegionFinder(module, shardings).Run();
}

}  // namespace xla
