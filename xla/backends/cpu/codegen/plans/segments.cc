// Follows single dimensions of a loop back through index maps.
#include "xla/backends/cpu/codegen/plans/segments.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_set.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"

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

// Longer walks find nothing that a few segments could use.
constexpr size_t kMostTraces = 4096;
// Keeps all arithmetic on indices exact.
constexpr int64_t kFarthest = int64_t{1} << 40;

// Such as a roll: which operand an element is from is a matter of its address.
bool OperandsAreSlicesOfOne(const HloInstruction& concatenate) {
  for (const HloInstruction* operand : concatenate.operands()) {
    if (operand->opcode() != HloOpcode::kSlice ||
        operand->operand(0) != concatenate.operand(0)->operand(0)) {
      return false;
    }
  }
  return true;
}

class BreakFinder {
 public:
  BreakFinder(const Shape& shape, int64_t inner,
              absl::FunctionRef<bool(const HloInstruction*)> in_memory)
      : shape_(shape),
        inner_(inner),
        in_memory_(in_memory),
        breaks_(shape.dimensions().size()) {}

  std::vector<std::vector<int64_t>> Find(
      absl::Span<const HloInstruction* const> roots) {
    for (const HloInstruction* root : roots) {
      if (!root->shape().IsArray() ||
          !ShapeUtil::SameDimensions(root->shape(), shape_)) {
        continue;
      }
      for (size_t d = 0; d < breaks_.size(); ++d) {
        const int64_t dim = static_cast<int64_t>(d);
        if (shape_.dimensions(d) > 1) Visit({root, dim, dim, 1, 0});
      }
    }
    while (!work_.empty()) {
      const Trace trace = work_.back();
      work_.pop_back();
      Follow(trace);
    }
    for (std::vector<int64_t>& breaks : breaks_) {
      std::sort(breaks.begin(), breaks.end());
      breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    }
    return std::move(breaks_);
  }

 private:
  void Visit(Trace trace) {
    if (in_memory_(trace.value) || !trace.value->shape().IsArray() ||
        seen_.size() >= kMostTraces || trace.stride > kFarthest ||
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

  void VisitOperand(const Trace& trace, int64_t operand, int64_t dim,
                    int64_t offset) {
    Visit({trace.value->operand(operand), dim, trace.loop_dim, trace.stride,
           offset});
  }

  // A break at the first index of the loop from which on the value's index is
  // `limit` or more.
  void BreakAt(const Trace& trace, int64_t limit) {
    const int64_t distance = limit - trace.offset;
    if (distance <= 0) return;
    const int64_t at = CeilOfRatio(distance, trace.stride);
    if (at < shape_.dimensions(trace.loop_dim)) {
      breaks_[trace.loop_dim].push_back(at);
    }
  }

  void Follow(const Trace& trace) {
    const HloInstruction& value = *trace.value;
    switch (value.opcode()) {
      case HloOpcode::kBroadcast: {
        const auto& dimensions = value.attrs<BroadcastAttrs>().dimensions;
        auto it = std::find(dimensions.begin(), dimensions.end(), trace.dim);
        if (it != dimensions.end()) {
          VisitOperand(trace, 0, it - dimensions.begin(), trace.offset);
        }
        return;
      }
      case HloOpcode::kTranspose:
        return VisitOperand(trace, 0,
                            value.attrs<TransposeAttrs>().dimensions[trace.dim],
                            trace.offset);
      case HloOpcode::kSlice: {
        const SliceRange& range = value.attrs<SliceAttrs>().slice[trace.dim];
        return VisitScaled(trace, range.stride, range.start);
      }
      case HloOpcode::kConcatenate:
        return FollowConcatenate(trace);
      case HloOpcode::kPad:
        return FollowPad(trace);
      case HloOpcode::kReduceWindow:
        return FollowWindow(trace);
      case HloOpcode::kReshape:
      case HloOpcode::kBitcast:
        return FollowReshape(trace);
      default:
        break;
    }
    if (!value.IsElementwise() && value.opcode() != HloOpcode::kCopy) return;
    for (int64_t i = 0; i < value.operand_count(); ++i) {
      if (value.operand(i)->shape().IsArray() &&
          ShapeUtil::SameDimensions(value.operand(i)->shape(), value.shape())) {
        VisitOperand(trace, i, trace.dim, trace.offset);
      }
    }
  }

  // The operand at the index times `factor`, plus `start`.
  void VisitScaled(const Trace& trace, int64_t factor, int64_t start) {
    if (factor < 1 || factor > kFarthest || trace.stride > kFarthest / factor ||
        std::abs(trace.offset) > kFarthest / factor) {
      return;
    }
    Visit({trace.value->operand(0), trace.dim, trace.loop_dim,
           trace.stride * factor, trace.offset * factor + start});
  }

  void FollowConcatenate(const Trace& trace) {
    const HloInstruction& value = *trace.value;
    const bool along =
        value.attrs<ConcatenateAttrs>().dimensions[0] == trace.dim;
    const bool breaks =
        along && (trace.loop_dim == inner_ || !OperandsAreSlicesOfOne(value));
    int64_t start = 0;
    for (int64_t i = 0; i < value.operand_count(); ++i) {
      VisitOperand(trace, i, trace.dim, trace.offset - (along ? start : 0));
      start += value.operand(i)->shape().dimensions(trace.dim);
      if (breaks && i + 1 < value.operand_count()) BreakAt(trace, start);
    }
  }

  void FollowPad(const Trace& trace) {
    const HloInstruction& value = *trace.value;
    const auto& dim = value.attrs<PadAttrs>().padding.dimensions(trace.dim);
    const int64_t size = value.operand(0)->shape().dimensions(trace.dim);
    const int64_t low = dim.edge_padding_low();
    if (size == 0 || low > kFarthest || low < -kFarthest) return;
    if (trace.loop_dim == inner_) {
      const int64_t step = std::min(dim.interior_padding(), kFarthest) + 1;
      BreakAt(trace, low);
      BreakAt(trace,
              low + std::min(window_util::DilatedBound(size, step), kFarthest));
    }
    if (dim.interior_padding() == 0) {
      VisitOperand(trace, 0, trace.dim, trace.offset - low);
    }
  }

  // The range in which all of a window is within its operand.
  void FollowWindow(const Trace& trace) {
    const HloInstruction& value = *trace.value;
    const WindowDimension& dim =
        value.attrs<ReduceWindowAttrs>().window.dimensions(trace.dim);
    const int64_t size = value.operand(0)->shape().dimensions(trace.dim);
    if (dim.base_dilation() != 1 || dim.stride() > kFarthest ||
        trace.stride > kFarthest / dim.stride() ||
        std::abs(trace.offset) > kFarthest / dim.stride()) {
      return;
    }
    const Trace first = {trace.value, trace.dim, trace.loop_dim,
                         trace.stride * dim.stride(),
                         trace.offset * dim.stride() - dim.padding_low()};
    BreakAt(first, 0);
    BreakAt(first, size - (dim.size() - 1) * dim.window_dilation());
    if (dim.size() == 1) VisitOperand(first, 0, trace.dim, first.offset);
  }

  // Through reshapes that keep the dimension on its own.
  void FollowReshape(const Trace& trace) {
    const HloInstruction& value = *trace.value;
    const Shape& operand = value.operand(0)->shape();
    for (const ReshapeGroup& group :
         ReshapeGroups(value.shape().dimensions(), operand.dimensions())) {
      const size_t dim = static_cast<size_t>(trace.dim);
      if (dim < group.from || dim >= group.from_end) continue;
      const int64_t size = value.shape().dimensions(dim);
      int64_t elements = 1;
      for (size_t d = group.to; d < group.to_end; ++d) {
        elements *= operand.dimensions(d);
      }
      for (size_t d = group.to; d < group.to_end && elements == size; ++d) {
        if (operand.dimensions(d) == size) {
          VisitOperand(trace, 0, static_cast<int64_t>(d), trace.offset);
        }
      }
    }
  }

  const Shape& shape_;
  const int64_t inner_;
  const absl::FunctionRef<bool(const HloInstruction*)> in_memory_;
  std::vector<std::vector<int64_t>> breaks_;
  std::vector<Trace> work_;
  absl::flat_hash_set<
      std::tuple<const HloInstruction*, int64_t, int64_t, int64_t, int64_t>>
      seen_;
};

}  // namespace

std::vector<std::vector<int64_t>> LoopBreaks(
    absl::Span<const HloInstruction* const> roots, const Shape& shape,
    int64_t inner, absl::FunctionRef<bool(const HloInstruction*)> in_memory) {
  return BreakFinder(shape, inner, in_memory).Find(roots);
}

void KeepLongRanges(std::vector<int64_t>& breaks, int64_t size, size_t most) {
  while (breaks.size() > most) {
    // The break whose two ranges together are the shortest.
    size_t shortest = 0;
    int64_t length = INT64_MAX;
    for (size_t i = 0; i < breaks.size(); ++i) {
      const int64_t before = i == 0 ? 0 : breaks[i - 1];
      const int64_t after = i + 1 == breaks.size() ? size : breaks[i + 1];
      if (after - before < length) {
        length = after - before;
        shortest = i;
      }
    }
    breaks.erase(breaks.begin() + shortest);
  }
}

std::vector<IndexBox> BoxesBetween(
    absl::Span<const int64_t> sizes,
    absl::Span<const std::vector<int64_t>> breaks, size_t most) {
  size_t parts = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    parts = std::min<size_t>(parts * (breaks[d].size() + 1), 1000);
  }
  if (parts == 1) return {};
  std::vector<IndexBox> boxes(1);
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<int64_t> edges = {0};
    edges.insert(edges.end(), breaks[d].begin(), breaks[d].end());
    edges.push_back(sizes[d]);
    size_t longest = 0;
    for (size_t i = 0; i + 1 < edges.size(); ++i) {
      if (edges[i + 1] - edges[i] > edges[longest + 1] - edges[longest]) {
        longest = i;
      }
    }
    std::vector<IndexBox> next;
    for (const IndexBox& box : boxes) {
      for (size_t i = 0; i + 1 < edges.size(); ++i) {
        if (parts > most && i != longest) continue;
        next.push_back(box);
        next.back().begin.push_back(edges[i]);
        next.back().end.push_back(edges[i + 1]);
      }
    }
    boxes = std::move(next);
  }
  return boxes;
}

}  // namespace xla::cpu
