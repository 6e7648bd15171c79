// Traces single dimensions of a loop back through indexing maps.
#include "xla/backends/cpu/codegen/plans/loop_partition.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "absl/container/flat_hash_set.h"
#include "absl/container/node_hash_map.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/moved_elements.h"
#include "xla/hlo/ir/infer_instruction.h"

namespace xla::cpu {
namespace {

// Index i of dimension `loop_dim` of the loop is index stride * i + offset of
// dimension `dim` of the value.
struct Trace {
  const HloInstruction* value;
  int64_t dim;
  int64_t loop_dim;
  int64_t stride;
  int64_t offset;
};

// The number of steps of a trace; longer ones find nothing that a few
// partitions could use.
constexpr size_t kMaxTraces = 4096;
// The limit of indices within which all arithmetic on them is exact.
constexpr int64_t kFarthest = int64_t{1} << 40;

class SplitPointFinder {
 public:
  SplitPointFinder(const Shape& shape, int64_t inner,
                   absl::FunctionRef<bool(const HloInstruction*)> in_memory)
      : shape_(shape),
        inner_(inner),
        in_memory_(in_memory),
        split_points_(shape.dimensions().size()) {}

  std::vector<std::vector<int64_t>> Find(
      absl::Span<const HloInstruction* const> roots) {
    for (const HloInstruction* root : roots) {
      if (!root->shape().IsArray() ||
          !ShapeUtil::SameDimensions(root->shape(), shape_)) {
        continue;
      }
      for (size_t d = 0; d < split_points_.size(); ++d) {
        const int64_t dim = static_cast<int64_t>(d);
        if (shape_.dimensions(d) > 1) Visit({root, dim, dim, 1, 0});
      }
    }
    while (!work_.empty()) {
      const Trace trace = work_.back();
      work_.pop_back();
      Follow(trace);
    }
    for (std::vector<int64_t>& split_points : split_points_) {
      std::sort(split_points.begin(), split_points.end());
      split_points.erase(std::unique(split_points.begin(), split_points.end()),
                         split_points.end());
    }
    return std::move(split_points_);
  }

 private:
  void Visit(Trace trace) {
    if (in_memory_(trace.value) || !trace.value->shape().IsArray() ||
        seen_.size() >= kMaxTraces || trace.stride > kFarthest ||
        std::abs(trace.offset) > kFarthest) {
      return;
    }
    if (seen_
            .insert({trace.value, trace.dim, trace.loop_dim, trace.stride,
                     trace.offset})
            .second) {
      work_.push_back(trace);
    }
  }

  // Adds a split point at the first index of the loop from which on the value's
  // index times `factor` (at least 1) is `limit` or more.
  void SplitAt(const Trace& trace, int64_t factor, int64_t limit) {
    if (std::abs(limit) > kFarthest || trace.stride > kFarthest / factor ||
        std::abs(trace.offset) > kFarthest / factor) {
      return;
    }
    const int64_t distance = limit - trace.offset * factor;
    if (distance <= 0) return;
    const int64_t at = CeilOfRatio(distance, trace.stride * factor);
    if (at < shape_.dimensions(trace.loop_dim)) {
      split_points_[trace.loop_dim].push_back(at);
    }
  }

  void Follow(const Trace& trace) {
    const HloInstruction& value = *trace.value;
    if (value.IsElementwiseOp()) {
      for (const HloInstruction* operand : value.operands()) {
        // Scalars have no such dimension.
        if (operand->shape().dimensions().empty()) continue;
        Visit({operand, trace.dim, trace.loop_dim, trace.stride, trace.offset});
      }
      return;
    }
    auto [it, fresh] = indexings_.try_emplace(&value);
    if (fresh) it->second = IndexingOf(value);
    if (!it->second.has_value()) return;
    const bool splits =
        trace.loop_dim == inner_ || IsWorthBranches(value, *it->second);
    for (const OperandIndexing& read : it->second->reads) {
      if (read.map.empty()) continue;
      for (const auto& constraint : read.map.constraints()) {
        if (splits) SplitAtBorders(trace, read.map, constraint);
      }
      const absl::Span<const IndexExpr> results = read.map.results();
      for (size_t d = 0; d < results.size(); ++d) {
        VisitOperand(trace, read, static_cast<int64_t>(d), results[d]);
      }
    }
  }

  // A test on a dimension that vectors do not cross selects between two values,
  // which are both computed if there is no branch. That costs nothing if all
  // but one of the values are the same for all indices or are read from one
  // array.
  bool IsWorthBranches(const HloInstruction& value,
                       const OpIndexing& indexing) const {
    if (!value.def().moves) return true;
    const std::optional<RangePartition> partition = PartitionOf(indexing);
    if (!partition.has_value()) return false;
    return !CommonArrayOf(
                value, partition->parts,
                [&](const HloInstruction& v) { return in_memory_(&v); })
                .has_value();
  }

  // Splits where the constraint begins or ceases to hold for all values of the
  // ranges.
  void SplitAtBorders(const Trace& trace, const IndexingMap& map,
                      const IndexingMap::Constraint& constraint) {
    if (constraint.expr.HasQuotients()) return;
    int64_t factor = 0;
    IndexExpr rest = IndexExpr::Constant(constraint.expr.constant());
    for (const IndexExpr::Term& term : constraint.expr.terms()) {
      if (term.atom.variable == trace.dim) {
        factor = term.coefficient;
      } else if (map.variables()[term.atom.variable].kind ==
                 IndexingMap::Kind::kRange) {
        rest = map.space().Add(
            rest, map.space().Multiply(IndexExpr::OfAtom(term.atom),
                                       term.coefficient));
      } else {
        return;
      }
    }
    const Interval others = map.space().RangeOf(rest);
    if (factor < 1 || factor > kFarthest || !IsNear(others)) return;
    const Interval& bounds = constraint.interval;
    if (bounds.lower >= -kFarthest) {
      SplitAt(trace, factor, bounds.lower - others.lower);
    }
    if (bounds.upper <= kFarthest) {
      SplitAt(trace, factor, bounds.upper - others.upper + 1);
    }
  }

  static bool IsNear(const Interval& interval) {
    return interval.lower >= -kFarthest && interval.upper <= kFarthest;
  }

  // The operand's index along `dim` is `expr`. The trace follows it if it is
  // the traced index times a positive number plus a number.
  void VisitOperand(const Trace& trace, const OperandIndexing& read,
                    int64_t dim, const IndexExpr& expr) {
    if (expr.terms().size() != 1 || expr.HasQuotients() ||
        expr.terms()[0].atom.variable != trace.dim) {
      return;
    }
    const int64_t factor = expr.terms()[0].coefficient;
    const int64_t constant = expr.constant();
    if (factor < 1 || factor > kFarthest || std::abs(constant) > kFarthest ||
        trace.stride > kFarthest / factor ||
        std::abs(trace.offset) > kFarthest / factor) {
      return;
    }
    Visit({trace.value->operand(read.operand), dim, trace.loop_dim,
           trace.stride * factor, trace.offset * factor + constant});
  }

  const Shape& shape_;
  const int64_t inner_;
  const absl::FunctionRef<bool(const HloInstruction*)> in_memory_;
  std::vector<std::vector<int64_t>> split_points_;
  std::vector<Trace> work_;
  absl::node_hash_map<const HloInstruction*, std::optional<OpIndexing>>
      indexings_;
  absl::flat_hash_set<
      std::tuple<const HloInstruction*, int64_t, int64_t, int64_t, int64_t>>
      seen_;
};

}  // namespace

std::vector<std::vector<int64_t>> LoopSplitPoints(
    absl::Span<const HloInstruction* const> roots, const Shape& shape,
    int64_t inner, absl::FunctionRef<bool(const HloInstruction*)> in_memory) {
  return SplitPointFinder(shape, inner, in_memory).Find(roots);
}

void KeepLongRanges(std::vector<int64_t>& split_points, int64_t size,
                    size_t most) {
  while (split_points.size() > most) {
    // Returns the split point whose two ranges together are the shortest.
    size_t shortest = 0;
    int64_t length = INT64_MAX;
    for (size_t i = 0; i < split_points.size(); ++i) {
      const int64_t before = i == 0 ? 0 : split_points[i - 1];
      const int64_t after =
          i + 1 == split_points.size() ? size : split_points[i + 1];
      if (after - before < length) {
        length = after - before;
        shortest = i;
      }
    }
    split_points.erase(split_points.begin() + shortest);
  }
}

std::vector<LoopPartition> PartitionsBetween(
    absl::Span<const int64_t> sizes,
    absl::Span<const std::vector<int64_t>> split_points, size_t most) {
  size_t parts = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    parts = std::min<size_t>(parts * (split_points[d].size() + 1), 1000);
  }
  if (parts == 1) return {};
  std::vector<LoopPartition> partitions(1);
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<int64_t> edges = {0};
    edges.insert(edges.end(), split_points[d].begin(), split_points[d].end());
    edges.push_back(sizes[d]);
    size_t longest = 0;
    for (size_t i = 0; i + 1 < edges.size(); ++i) {
      if (edges[i + 1] - edges[i] > edges[longest + 1] - edges[longest]) {
        longest = i;
      }
    }
    std::vector<LoopPartition> next;
    for (const LoopPartition& partition : partitions) {
      for (size_t i = 0; i + 1 < edges.size(); ++i) {
        if (parts > most && i != longest) continue;
        next.push_back(partition);
        next.back().begin.push_back(edges[i]);
        next.back().end.push_back(edges[i + 1]);
      }
    }
    partitions = std::move(next);
  }
  return partitions;
}

}  // namespace xla::cpu
