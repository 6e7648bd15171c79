// Plans reshards step by step: what makes parts smaller first, then exchanges,
// then gathers, until the shardings are equal.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/resharding/resharding.h"

namespace xla {
namespace {

class ReshardPlanner {
 public:
  ReshardPlanner(const Shape& shape, const MeshSharding& from,
                 const MeshSharding& to)
      : shape_(shape), now_(from), to_(to) {}

  std::vector<ReshardStep> Plan() {
    RemovePartials();
    if (!(*now_.mesh == *to_.mesh)) ChangeMesh();
    // Each round brings a dimension closer to its goal, except where gathering
    // one that does not divide undoes slices; then all are gathered.
    const int64_t most_rounds = 8 * (shape_.dimensions().size() + 1);
    for (int64_t round = 0; !IsDone(); ++round) {
      if (round == most_rounds) {
        for (int64_t d = 0; d < now_.rank(); ++d) Gather(d, {});
      }
      if (TrySlice() || TryPermuteAll() || TrySliceAndPermute() ||
          TryAllToAll() || TryPermuteSome()) {
        continue;
      }
      GatherOne();
    }
    MakePartials();
    return std::move(steps_);
  }

 private:
  const AxisList& AxesOf(int64_t d) const { return now_.dimensions[d].axes; }
  const AxisList& Goal(int64_t d) const { return to_.dimensions[d].axes; }

  bool IsDone() const {
    for (int64_t d = 0; d < now_.rank(); ++d) {
      if (AxesOf(d) != Goal(d)) return false;
    }
    return true;
  }

  void Add(ReshardKind kind, int64_t dimension, int64_t other, AxisList axes,
           MeshSharding next) {
    steps_.push_back(
        {kind, dimension, other, std::move(axes), now_, std::move(next)});
    now_ = steps_.back().to;
  }

  // Whether parts along `outer` consist of whole parts along `outer` and
  // further axes, `all` of them.
  bool IsAligned(int64_t d, const AxisList& outer, const AxisList& all) const {
    const int64_t size = shape_.dimensions(d);
    const int64_t k = SizeOf(outer);
    const int64_t n = SizeOf(all);
    return k == 1 || CeilOfRatio(size, n) * (n / k) == CeilOfRatio(size, k);
  }

  void RemovePartials() {
    AxisList pending = Difference(now_.unreduced, to_.unreduced);
    if (!(*now_.mesh == *to_.mesh)) pending = now_.unreduced;
    for (int64_t d = 0; d < now_.rank() && !pending.empty(); ++d) {
      if (!(*now_.mesh == *to_.mesh) || !IsPrefix(AxesOf(d), Goal(d))) continue;
      AxisList wanted;
      for (const AxisPart& axis : WithoutPrefix(Goal(d), AxesOf(d))) {
        if (Difference({&axis, 1}, pending).size() != 0) break;
        Append(axis, wanted);
      }
      if (wanted.empty()) continue;
      MeshSharding next = now_;
      Append(wanted, next.dimensions[d].axes);
      if (!IsAligned(d, AxesOf(d), next.dimensions[d].axes)) continue;
      next.unreduced = Difference(next.unreduced, wanted);
      pending = Difference(pending, wanted);
      Add(ReshardKind::kReduceScatter, d, -1, wanted, std::move(next));
    }
    if (pending.empty()) return;
    MeshSharding next = now_;
    next.unreduced = Difference(next.unreduced, pending);
    Add(ReshardKind::kAllReduce, -1, -1, std::move(pending), std::move(next));
  }

  // Another order of devices, or axes that do not correspond.
  void ChangeMesh() {
    bool equal_parts = true;
    for (int64_t d = 0; d < now_.rank(); ++d) {
      equal_parts &= SizeOf(AxesOf(d)) == SizeOf(Goal(d));
    }
    MeshSharding next = to_;
    next.unreduced.clear();
    if (equal_parts && now_.manual.empty() && to_.manual.empty() &&
        now_.mesh->device_count() == to_.mesh->device_count()) {
      if (!now_.IsReplicated()) Add(ReshardKind::kPermute, -1, -1, {}, next);
      now_ = std::move(next);
      return;
    }
    for (int64_t d = 0; d < now_.rank(); ++d) Gather(d, {});
    for (MeshSharding::Dimension& dimension : next.dimensions)
      dimension.axes.clear();
    now_ = std::move(next);
  }

  void MakePartials() {
    AxisList added = Difference(to_.unreduced, now_.unreduced);
    if (added.empty()) return;
    MeshSharding next = now_;
    next.unreduced = to_.unreduced;
    Add(ReshardKind::kMakePartial, -1, -1, std::move(added), std::move(next));
  }

  AxisList FreePrefix(absl::Span<const AxisPart> axes) const {
    return PrefixWithout(axes, now_.UsedAxes());
  }

  bool TrySlice() {
    for (int64_t d = 0; d < now_.rank(); ++d) {
      if (AxesOf(d) == Goal(d) || !IsPrefix(AxesOf(d), Goal(d))) continue;
      if (Slice(d, FreePrefix(WithoutPrefix(Goal(d), AxesOf(d))))) return true;
    }
    return false;
  }

  bool Slice(int64_t d, AxisList axes) {
    MeshSharding next = now_;
    Append(axes, next.dimensions[d].axes);
    if (axes.empty() || !IsAligned(d, AxesOf(d), next.dimensions[d].axes)) {
      return false;
    }
    Add(ReshardKind::kSlice, d, -1, std::move(axes), std::move(next));
    return true;
  }

  bool HasSizesOfGoal() const {
    for (int64_t d = 0; d < now_.rank(); ++d) {
      if (SizeOf(AxesOf(d)) != SizeOf(Goal(d))) return false;
    }
    return true;
  }

  void Permute(MeshSharding next) {
    Add(ReshardKind::kPermute, -1, -1, {}, std::move(next));
  }

  MeshSharding WithGoals() const {
    MeshSharding next = now_;
    next.dimensions = to_.dimensions;
    return next;
  }

  bool TryPermuteAll() {
    if (!HasSizesOfGoal() ||
        Overlap(WithGoals().DimensionAxes(), now_.unreduced)) {
      return false;
    }
    Permute(WithGoals());
    return true;
  }

  // x to y, where y has more devices: each takes a part, and then they are
  // exchanged.
  bool TrySliceAndPermute() {
    const MeshSharding before = now_;
    const size_t count = steps_.size();
    for (int64_t d = 0; d < now_.rank(); ++d) {
      const int64_t have = SizeOf(AxesOf(d));
      const int64_t want = SizeOf(Goal(d));
      if (have == want) continue;
      if (want % have == 0) {
        AxisList prefix = PrefixThatDivides(Goal(d), have);
        if (SizeOf(prefix) == have &&
            !Overlap(WithoutPrefix(Goal(d), prefix), now_.UsedAxes()) &&
            Slice(d, WithoutPrefix(Goal(d), prefix))) {
          continue;
        }
      }
      break;
    }
    if (now_ == before || !TryPermuteAll()) {
      now_ = before;
      steps_.erase(steps_.begin() + count, steps_.end());
      return false;
    }
    return true;
  }

  bool TryAllToAll() {
    for (int64_t d = 0; d < now_.rank(); ++d) {
      const AxisList kept = CommonPrefix(AxesOf(d), Goal(d));
      AxisList moved = WithoutPrefix(AxesOf(d), kept);
      // Suffixes of the axes, the longest one first.
      for (; !moved.empty(); moved.erase(moved.begin())) {
        for (int64_t e = 0; e < now_.rank(); ++e) {
          if (e != d && TryAllToAll(d, e, moved)) return true;
        }
      }
    }
    return false;
  }

  bool TryAllToAll(int64_t d, int64_t e, const AxisList& moved) {
    if (!IsPrefix(AxesOf(e), Goal(e)) ||
        !IsPrefix(moved, WithoutPrefix(Goal(e), AxesOf(e)))) {
      return false;
    }
    MeshSharding next = now_;
    const int64_t outer = SizeOf(AxesOf(d)) / SizeOf(moved);
    AxisList rest = PrefixThatDivides(AxesOf(d), outer);
    if (SizeOf(rest) != outer) return false;
    next.dimensions[d].axes = rest;
    Append(moved, next.dimensions[e].axes);
    if (!IsAligned(d, rest, AxesOf(d)) ||
        !IsAligned(e, AxesOf(e), next.dimensions[e].axes)) {
      return false;
    }
    Add(ReshardKind::kAllToAll, d, e, moved, std::move(next));
    return true;
  }

  // x to y of one size while other dimensions are not there yet.
  bool TryPermuteSome() {
    MeshSharding next = now_;
    bool changed = false;
    for (int64_t d = 0; d < now_.rank(); ++d) {
      if (AxesOf(d) == Goal(d) || AxesOf(d).empty() ||
          SizeOf(AxesOf(d)) != SizeOf(Goal(d))) {
        continue;
      }
      MeshSharding candidate = next;
      candidate.dimensions[d].axes.clear();
      if (Overlap(Goal(d), candidate.UsedAxes())) continue;
      next.dimensions[d].axes = Goal(d);
      changed = true;
    }
    if (changed) Permute(std::move(next));
    return changed;
  }

  // Makes the dimension's axes `kept`, a prefix of them.
  void Gather(int64_t d, AxisList kept) {
    if (AxesOf(d).empty()) return;
    if (!IsAligned(d, kept, AxesOf(d))) kept.clear();
    MeshSharding next = now_;
    AxisList gathered = WithoutPrefix(AxesOf(d), kept);
    next.dimensions[d].axes = std::move(kept);
    Add(ReshardKind::kAllGather, d, -1, std::move(gathered), std::move(next));
  }

  void GatherOne() {
    std::optional<int64_t> best;
    for (int64_t d = 0; d < now_.rank(); ++d) {
      if (AxesOf(d) == Goal(d) || AxesOf(d).empty()) continue;
      const auto factor = [&](int64_t i) {
        return SizeOf(AxesOf(i)) / SizeOf(CommonPrefix(AxesOf(i), Goal(i)));
      };
      if (!best.has_value() || factor(d) < factor(*best)) best = d;
    }
    if (!best.has_value()) return;  // Not reached: a slice would do.
    const AxisList kept = CommonPrefix(AxesOf(*best), Goal(*best));
    // A prefix that slices cannot extend must go, too.
    Gather(*best, kept == AxesOf(*best) ? AxisList() : kept);
  }

  const Shape& shape_;
  MeshSharding now_;
  const MeshSharding& to_;
  std::vector<ReshardStep> steps_;
};

bool MovesData(const ReshardStep& step) {
  return step.kind != ReshardKind::kSlice &&
         step.kind != ReshardKind::kMakePartial;
}

}  // namespace

Shape PartShape(const Shape& shape, const MeshSharding& sharding) {
  if (!shape.IsArray()) return shape;
  Shape part = shape;
  const std::vector<int64_t> sizes = PartSizes(shape.dimensions(), sharding);
  for (size_t d = 0; d < sizes.size(); ++d) part.set_dimensions(d, sizes[d]);
  return part;
}

double PartBytes(const Shape& shape, const MeshSharding& sharding) {
  return BytesOf(PartShape(shape, sharding));
}

double AllReduceCost(double bytes, int64_t devices) {
  if (devices == 1) return 0;
  return kLatencyBytes + 2 * bytes * (devices - 1) / devices;
}

std::vector<ReshardStep> PlanReshard(const Shape& shape,
                                     const MeshSharding& from,
                                     const MeshSharding& to) {
  if (!shape.IsArray()) return {};
  return ReshardPlanner(shape, from, to).Plan();
}

double ReshardCost(const Shape& shape, const std::vector<ReshardStep>& steps) {
  double cost = 0;
  for (const ReshardStep& step : steps) {
    if (!MovesData(step)) continue;
    const int64_t devices = SizeOf(step.axes);
    const double share = static_cast<double>(devices - 1) / devices;
    switch (step.kind) {
      case ReshardKind::kAllGather:
        cost += kLatencyBytes + PartBytes(shape, step.to) * share;
        break;
      case ReshardKind::kAllReduce:
        cost += AllReduceCost(PartBytes(shape, step.from), devices);
        break;
      case ReshardKind::kPermute:
        cost += kLatencyBytes + PartBytes(shape, step.to);
        break;
      case ReshardKind::kAllToAll:
      case ReshardKind::kReduceScatter:
        cost += kLatencyBytes + PartBytes(shape, step.from) * share;
        break;
      case ReshardKind::kSlice:
      case ReshardKind::kMakePartial:
        break;
    }
  }
  return cost;
}

}  // namespace xla
