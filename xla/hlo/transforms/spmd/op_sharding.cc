// Candidates come from the shardings of the arrays; the cheapest one wins.
#include "xla/hlo/transforms/spmd/op_sharding.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/resharding/resharding.h"
#include "xla/hlo/transforms/sharding/factor_sharding.h"

namespace xla {
namespace {

// What a device reads and writes is cheaper than what it receives, and so are
// multiplications.
constexpr double kBytesTouched = 0.25;
constexpr double kMultiplications = 1.0 / 32;

class FactorChooser {
 public:
  explicit FactorChooser(const OpShardingProblem& problem)
      : problem_(problem), factors_(problem.factors) {
    for (size_t f = 0; f < factors_.factors.size(); ++f) {
      splits_.push_back(problem.rule.Split(problem.hlo, factors_, f));
    }
    FindFactorsThatDivide();
    for (size_t i = 0; i < problem.operands.size(); ++i) {
      AddArray(problem.operands[i], factors_.operands[i]);
    }
    for (size_t i = 0; i < problem.results.size(); ++i) {
      AddArray(problem.results[i], factors_.results[i]);
    }
  }

  FactorAxes Choose() {
    const size_t operands = problem_.operands.size();
    std::vector<size_t> order;
    for (size_t a = operands; a < arrays_.size(); ++a) order.push_back(a);
    for (size_t a = 0; a < operands; ++a) order.push_back(a);
    for (size_t first = 0; first < order.size(); ++first) {
      std::vector<size_t> turned = order;
      std::rotate(turned.begin(), turned.begin() + first,
                  turned.begin() + first + 1);
      ConsiderAll(turned);
      // The array alone, without what the others ask for.
      ConsiderAll({turned[0]});
    }
    Consider(FactorAxes(factors_.factors.size()));
    return best_;
  }

 private:
  // The axes of an array's factors. What splits a factor that must be whole is
  // not known by factor, but can move elsewhere.
  struct ArrayAxes {
    FactorAxes axes;
    AxisList homeless;
  };

  void AddArray(const PartitionedArray& array,
                const DimensionFactors::Array& dimensions) {
    ArrayAxes& added = arrays_.emplace_back();
    added.axes.resize(factors_.factors.size());
    if (!(*array.sharding.mesh == *problem_.mesh)) return;
    const ArrayFactors split =
        ProjectToFactors(array.sharding, factors_, dimensions,
                         std::numeric_limits<int64_t>::max());
    for (size_t f = 0; f < split.factors.size(); ++f) {
      const AxisList& axes = split.factors[f].axes;
      if (splits_[f] == FactorSplit::kWhole) {
        added.homeless.insert(added.homeless.end(), axes.begin(), axes.end());
      } else {
        added.axes[f] = axes;
      }
    }
  }

  // A factor that is one of several of a dimension is split evenly.
  void FindFactorsThatDivide() {
    divides_.resize(factors_.factors.size());
    for (const auto* arrays : {&factors_.operands, &factors_.results}) {
      for (const DimensionFactors::Array& array : *arrays) {
        for (const DimensionFactors::Dimension& dimension : array) {
          if (dimension.size() < 2) continue;
          for (const int32_t factor : dimension) divides_[factor] = true;
        }
      }
    }
  }

  // Considers what the arrays ask for, in this order, without and with new
  // places for the axes of factors that must be whole.
  void ConsiderAll(absl::Span<const size_t> order) {
    FactorAxes axes(factors_.factors.size());
    AxisList used = problem_.manual;
    for (const size_t a : order) {
      for (size_t f = 0; f < axes.size(); ++f) {
        Extend(f, arrays_[a].axes[f], axes, used);
      }
    }
    Consider(axes);
    bool moved = false;
    for (const size_t a : order) {
      for (const AxisPart& axis : arrays_[a].homeless) {
        moved |= FindHome(axis, axes, used);
      }
    }
    if (moved) Consider(std::move(axes));
  }

  void Extend(size_t f, const AxisList& wanted, FactorAxes& axes,
              AxisList& used) const {
    if (wanted.empty() || !IsPrefix(axes[f], wanted)) return;
    AxisList more = PrefixWithout(WithoutPrefix(wanted, axes[f]), used);
    AxisList all = axes[f];
    Append(more, all);
    if (divides_[f]) all = PrefixThatDivides(all, factors_.factors[f].size);
    if (!IsPrefix(axes[f], all)) return;
    more = WithoutPrefix(all, axes[f]);
    used.insert(used.end(), more.begin(), more.end());
    axes[f] = std::move(all);
  }

  bool FindHome(const AxisPart& axis, FactorAxes& axes, AxisList& used) const {
    if (Overlap(used, axis)) return false;
    for (size_t f = 0; f < axes.size(); ++f) {
      if (splits_[f] != FactorSplit::kLocal ||
          factors_.factors[f].kind != FactorKind::kPassedThrough ||
          factors_.factors[f].size % (SizeOf(axes[f]) * axis.size) != 0) {
        continue;
      }
      Append(axis, axes[f]);
      used.push_back(axis);
      return true;
    }
    return false;
  }

  // Within a dimension a factor is split only if those before it are entirely.
  void DropScattered(FactorAxes& axes) const {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const auto* arrays : {&factors_.operands, &factors_.results}) {
        for (const DimensionFactors::Array& array : *arrays) {
          for (const DimensionFactors::Dimension& dimension : array) {
            bool full = true;
            for (const int32_t factor : dimension) {
              if (!full && !axes[factor].empty()) {
                axes[factor].clear();
                changed = true;
              }
              full &= SizeOf(axes[factor]) == factors_.factors[factor].size;
            }
          }
        }
      }
    }
  }

  void Consider(FactorAxes axes) {
    DropScattered(axes);
    if (absl::c_linear_search(seen_, axes)) return;
    seen_.push_back(axes);
    if (problem_.rule.accepts != nullptr &&
        !problem_.rule.accepts(problem_.hlo, factors_, axes)) {
      return;
    }
    const double cost = Cost(axes);
    if (!best_.empty() && cost >= best_cost_) return;
    best_ = std::move(axes);
    best_cost_ = cost;
  }

  MeshSharding ShardingOf(const FactorAxes& axes,
                          const DimensionFactors::Array& dimensions) const {
    MeshSharding sharding = ShardingOfFactors(axes, dimensions, problem_.mesh);
    sharding.manual = problem_.manual;
    return sharding;
  }

  double Cost(const FactorAxes& axes) const {
    double cost = 0;
    double touched = 0;
    for (size_t i = 0; i < problem_.operands.size(); ++i) {
      const PartitionedArray& operand = problem_.operands[i];
      MeshSharding needed = ShardingOf(axes, factors_.operands[i]);
      cost += ReshardCost(operand.shape,
                          PlanReshard(operand.shape, operand.sharding, needed));
      touched += PartBytes(operand.shape, needed);
    }
    double devices = 1;
    AxisList partial;
    bool is_combined = false;
    for (size_t f = 0; f < axes.size(); ++f) {
      devices *= SizeOf(axes[f]);
      if (splits_[f] == FactorSplit::kPartial) Append(axes[f], partial);
      is_combined |= splits_[f] == FactorSplit::kCombined && !axes[f].empty();
    }
    double elements = 0;
    for (size_t i = 0; i < problem_.results.size(); ++i) {
      const PartitionedArray& result = problem_.results[i];
      MeshSharding given = ShardingOf(axes, factors_.results[i]);
      given.unreduced = partial;
      cost += ReshardCost(result.shape,
                          PlanReshard(result.shape, given, result.sharding));
      const double bytes = PartBytes(result.shape, given);
      touched += bytes;
      if (is_combined) cost += AllReduceCost(bytes, devices);
      elements = std::max(elements, ElementsOf(result.shape));
    }
    if (problem_.rule.cost != nullptr) {
      cost += problem_.rule.cost(problem_.hlo, factors_, axes, *problem_.mesh);
    }
    return cost + kBytesTouched * touched +
           kMultiplications * Multiplications() / devices;
  }

  double Multiplications() const {
    double product = 1;
    bool has_sum = false;
    for (const DimensionFactor& factor : factors_.factors) {
      product *= static_cast<double>(factor.size);
      has_sum |= factor.kind == FactorKind::kSummed;
    }
    return has_sum ? product : 0;
  }

  const OpShardingProblem& problem_;
  const DimensionFactors& factors_;
  std::vector<FactorSplit> splits_;
  std::vector<bool> divides_;
  std::vector<ArrayAxes> arrays_;
  std::vector<FactorAxes> seen_;
  FactorAxes best_;
  double best_cost_ = 0;
};

}  // namespace

FactorAxes ChooseFactorAxes(const OpShardingProblem& problem) {
  if (problem.factors.factors.empty()) return {};
  return FactorChooser(problem).Choose();
}

}  // namespace xla
