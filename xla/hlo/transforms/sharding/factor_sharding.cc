// The strategies are those of Shardy's basic and aggressive propagation.
#include "xla/hlo/transforms/sharding/factor_sharding.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"

namespace xla {
namespace {

// Moves the axes that divide `size` from `rest` into the result; `rest` is a
// list whose first axis may be a part of one.
AxisList TakeAxes(int64_t size, AxisList& rest) {
  AxisList taken = PrefixThatDivides(rest, size);
  rest = WithoutPrefix(rest, taken);
  return taken;
}

class FactorPropagation {
 public:
  FactorPropagation(const DimensionFactors& op, const PropagationStep& step,
                    absl::Span<const int64_t> sizes,
                    absl::Span<ArrayFactors> arrays)
      : op_(op), step_(step), sizes_(sizes), arrays_(arrays) {}

  void Run() {
    if (step_.strategy == PropagationStrategy::kBasic) {
      RunBasic();
    } else {
      RunAggressive();
    }
  }

 private:
  bool Has(size_t array, size_t factor) const {
    return arrays_[array].factors[factor].present;
  }
  bool IsPropagated(size_t factor) const {
    return op_.factors[factor].kind <= step_.max_kind;
  }
  bool IsOperand(size_t array) const { return array < op_.operands.size(); }
  bool IsSource(size_t array) const {
    switch (step_.direction) {
      case PropagationDirection::kNone:
        return false;
      case PropagationDirection::kForward:
        return IsOperand(array);
      case PropagationDirection::kBackward:
        return !IsOperand(array);
      case PropagationDirection::kBoth:
        return true;
    }
    return false;
  }

  // Returns the longest list of axes that a source has and with which all
  // arrays agree.
  AxisList CommonAxes(size_t factor) const {
    AxisList common;
    bool agree = true;
    for (size_t a = 0; a < arrays_.size(); ++a) {
      if (!Has(a, factor)) continue;
      const AxisList& axes = arrays_[a].factors[factor].axes;
      if (IsPrefix(common, axes)) {
        if (IsSource(a) && agree) common = axes;
      } else if (!IsPrefix(axes, common)) {
        common = CommonPrefix(common, axes);
        agree = false;
      }
    }
    return common;
  }

  // Returns as much of `axes` as the array can have; at least what it has.
  AxisList Accepted(size_t array, size_t factor, const AxisList& axes) const {
    const FactorSharding& own = arrays_[array].factors[factor];
    if (!IsPrefix(own.axes, axes) || own.is_closed || !own.overflow.empty()) {
      return own.axes;
    }
    AxisList taken = arrays_[array].unavailable;
    for (size_t f = 0; f < arrays_[array].factors.size(); ++f) {
      const FactorSharding& other = arrays_[array].factors[f];
      if (!other.present) continue;
      if (f != factor) {
        taken.insert(taken.end(), other.axes.begin(), other.axes.end());
      }
      taken.insert(taken.end(), other.overflow.begin(), other.overflow.end());
    }
    AxisList accepted = PrefixWithout(axes, taken);
    if (!own.is_minor_most) {
      accepted = PrefixThatDivides(accepted, op_.factors[factor].size);
    }
    return IsPrefix(own.axes, accepted) ? accepted : own.axes;
  }

  void RunBasic() {
    std::vector<AxisList> lists(op_.factors.size());
    for (size_t f = 0; f < lists.size(); ++f) {
      if (!IsPropagated(f)) continue;
      lists[f] = CommonAxes(f);
      for (size_t a = 0; a < arrays_.size(); ++a) {
        if (!Has(a, f) || IsPrefix(lists[f], arrays_[a].factors[f].axes)) {
          continue;
        }
        lists[f] = CommonPrefix(lists[f], Accepted(a, f, lists[f]));
      }
    }
    // Two factors of one array do not get the same axis.
    const std::vector<AxisList> wanted = lists;
    for (size_t f = 0; f < lists.size(); ++f) {
      for (size_t g = 0; g < lists.size(); ++g) {
        if (f != g && ShareAnArray(f, g)) {
          lists[f] = PrefixWithout(lists[f], wanted[g]);
        }
      }
    }
    for (size_t f = 0; f < lists.size(); ++f) {
      for (size_t a = 0; a < arrays_.size(); ++a) {
        if (!Has(a, f)) continue;
        AxisList& axes = arrays_[a].factors[f].axes;
        if (IsPrefix(axes, lists[f])) axes = lists[f];
      }
    }
  }

  bool ShareAnArray(size_t f, size_t g) const {
    for (size_t a = 0; a < arrays_.size(); ++a) {
      if (Has(a, f) && Has(a, g)) return true;
    }
    return false;
  }

  // The array from which a factor's axes come.
  struct Source {
    size_t factor;
    size_t array;
    int64_t elements;
    int64_t devices;  // of element-wise ops, else 1

    // The best source is the first.
    friend bool operator<(const Source& a, const Source& b) {
      return std::tuple(-a.elements, -a.devices, a.array, a.factor) <
             std::tuple(-b.elements, -b.devices, b.array, b.factor);
    }
  };

  void RunAggressive() {
    std::vector<Source> best;
    for (size_t f = 0; f < op_.factors.size(); ++f) {
      if (!IsPropagated(f)) continue;
      std::vector<Source> sources;
      for (size_t a = 0; a < arrays_.size(); ++a) {
        if (!Has(a, f) || !IsSource(a)) continue;
        const AxisList& axes = arrays_[a].factors[f].axes;
        if (axes.empty()) continue;
        const int64_t devices = step_.is_elementwise ? SizeOf(axes) : 1;
        sources.push_back({f, a, sizes_[a], devices});
      }
      if (!sources.empty()) best.push_back(*absl::c_min_element(sources));
    }
    absl::c_sort(best);
    for (const Source& source : best) Spread(source);
  }

  void Spread(const Source& source) {
    const size_t factor = source.factor;
    const AxisList axes = CommonAxes(factor);
    // Results first, since operands of element-wise ops follow them.
    AxisList limit;
    bool has_limit = false;
    for (size_t a = arrays_.size(); a-- > 0;) {
      if (!Has(a, factor)) continue;
      AxisList accepted = Accepted(a, factor, axes);
      AxisList& own = arrays_[a].factors[factor].axes;
      if (IsOperand(a) && step_.is_elementwise && has_limit) {
        accepted = CommonPrefix(accepted, limit);
      }
      if (IsPrefix(own, accepted)) own = std::move(accepted);
      if (!IsOperand(a)) {
        limit = own;
        has_limit = true;
      }
    }
  }

  const DimensionFactors& op_;
  const PropagationStep& step_;
  absl::Span<const int64_t> sizes_;
  absl::Span<ArrayFactors> arrays_;
};

}  // namespace

ArrayFactors ProjectToFactors(const MeshSharding& sharding,
                              const DimensionFactors& op,
                              const DimensionFactors::Array& dimensions,
                              int64_t priority) {
  ArrayFactors array;
  array.factors.resize(op.factors.size());
  for (const AxisList* axes :
       {&sharding.replicated, &sharding.unreduced, &sharding.manual}) {
    array.unavailable.insert(array.unavailable.end(), axes->begin(),
                             axes->end());
  }
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const MeshSharding::Dimension& dimension = sharding.dimensions[d];
    const bool is_later = dimension.priority > priority;
    AxisList rest = is_later ? AxisList() : dimension.axes;
    if (is_later || dimensions[d].empty()) {
      array.unavailable.insert(array.unavailable.end(), dimension.axes.begin(),
                               dimension.axes.end());
    }
    bool is_closed = !dimension.is_open || is_later;
    for (size_t i = 0; i < dimensions[d].size(); ++i) {
      const int32_t factor = dimensions[d][i];
      FactorSharding& split = array.factors[factor];
      split.present = true;
      split.is_closed = is_closed;
      split.is_minor_most = i + 1 == dimensions[d].size();
      if (split.is_minor_most) {
        split.axes = std::move(rest);
        break;
      }
      split.axes = TakeAxes(op.factors[factor].size, rest);
      if (!rest.empty() && SizeOf(split.axes) < op.factors[factor].size) {
        split.overflow = std::exchange(rest, {});
        is_closed = true;
      }
    }
  }
  return array;
}

bool UpdateFromFactors(const ArrayFactors& array, const DimensionFactors& op,
                       const DimensionFactors::Array& dimensions,
                       int64_t priority, MeshSharding& sharding) {
  bool changed = false;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    MeshSharding::Dimension& dimension = sharding.dimensions[d];
    if (dimension.priority > priority || dimensions[d].empty()) continue;
    AxisList axes;
    for (const int32_t factor : dimensions[d]) {
      const FactorSharding& split = array.factors[factor];
      Append(split.axes, axes);
      Append(split.overflow, axes);
      // What follows is not contiguous unless the factor is split entirely.
      if (SizeOf(split.axes) != op.factors[factor].size) break;
    }
    if (axes == dimension.axes || !IsPrefix(dimension.axes, axes)) continue;
    // An array that is two operands of the op may have got them elsewhere.
    if (Overlap(WithoutPrefix(axes, dimension.axes), sharding.UsedAxes())) {
      continue;
    }
    dimension.axes = std::move(axes);
    changed = true;
  }
  return changed;
}

void PropagateFactors(const DimensionFactors& op, const PropagationStep& step,
                      absl::Span<const int64_t> sizes,
                      absl::Span<ArrayFactors> arrays) {
  FactorPropagation(op, step, sizes, arrays).Run();
}

}  // namespace xla
