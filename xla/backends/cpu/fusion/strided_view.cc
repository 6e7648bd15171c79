// Splits and merges dimensions of memory.
#include "xla/backends/cpu/fusion/strided_view.h"

#include <algorithm>
#include <utility>

#include "xla/core/layout_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::cpu {
namespace {

// Adds a minor dimension.
void Append(StridedDim dim, StridedDims& dims) {
  if (dim.size == 1) return;
  if (!dims.empty() && dims.back().stride == dim.stride * dim.size) {
    dims.back() = {dims.back().size * dim.size, dim.stride};
  } else {
    dims.push_back(dim);
  }
}

int64_t SizeOf(const StridedDims& dims) {
  int64_t size = 1;
  for (const StridedDim& dim : dims) size *= dim.size;
  return size;
}

bool IsPlain(const Shape& shape) {
  return shape.IsArray() && shape.is_static() &&
         LayoutUtil::IsRowMajorOrUnset(shape);
}

// Whether `hlo` makes one array of another. A bitcast may read one of another
// layout.
bool HasPlainArrays(const HloInstruction& hlo) {
  return !hlo.HasControlDependencies() && IsPlain(hlo.shape()) &&
         hlo.operand_count() == 1 && IsPlain(hlo.operand(0)->shape());
}

bool KeepsType(const HloInstruction& hlo) {
  return hlo.shape().element_type() == hlo.operand(0)->shape().element_type();
}

}  // namespace

StridedView StridedView::Of(const Shape& shape) {
  StridedView view;
  view.dimensions_.resize(shape.rank());
  int64_t stride = 1;
  for (int64_t d = shape.rank() - 1; d >= 0; --d) {
    Append({shape.dimensions(d), stride}, view.dimensions_[d]);
    stride *= shape.dimensions(d);
  }
  return view;
}

StridedView StridedView::Transposed(
    absl::Span<const int64_t> permutation) const {
  StridedView view;
  for (const int64_t d : permutation) {
    view.dimensions_.push_back(dimensions_[d]);
  }
  return view;
}

StridedView StridedView::Broadcast(const Shape& result,
                                   absl::Span<const int64_t> places) const {
  StridedView view;
  for (const int64_t size : result.dimensions()) {
    Append({size, 0}, view.dimensions_.emplace_back());
  }
  for (size_t i = 0; i < places.size(); ++i) {
    view.dimensions_[places[i]] = dimensions_[i];
  }
  return view;
}

std::optional<StridedView> StridedView::Reshaped(
    absl::Span<const int64_t> sizes) const {
  StridedDims left;  // in memory, major ones first
  for (const StridedDims& dims : dimensions_) {
    left.insert(left.end(), dims.begin(), dims.end());
  }
  StridedView view;
  view.dimensions_.resize(sizes.size());
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    StridedDims minor_first;
    int64_t size = sizes[d];
    if (size == 0) return std::nullopt;
    while (size > 1) {
      if (left.empty()) return std::nullopt;
      StridedDim& last = left.back();
      if (size % last.size == 0) {
        minor_first.push_back(last);
        size /= last.size;
        left.pop_back();
      } else if (last.size % size == 0) {
        minor_first.push_back({size, last.stride});
        last = {last.size / size, last.stride * size};
        size = 1;
      } else {
        return std::nullopt;
      }
    }
    for (auto it = minor_first.rbegin(); it != minor_first.rend(); ++it) {
      Append(*it, view.dimensions_[d]);
    }
  }
  return view;
}

std::optional<StridedView> StridedView::Through(
    const HloInstruction& hlo) const {
  if (!HasPlainArrays(hlo)) return std::nullopt;
  switch (hlo.opcode()) {
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
      if (!KeepsType(hlo)) return std::nullopt;
      return Reshaped(hlo.shape().dimensions());
    case HloOpcode::kTranspose:
      return Transposed(hlo.attrs<TransposeAttrs>().dimensions);
    case HloOpcode::kBroadcast:
      return Broadcast(hlo.shape(), hlo.attrs<BroadcastAttrs>().dimensions);
    case HloOpcode::kFusion:
      return ThroughFusion(hlo);
    default:
      return std::nullopt;
  }
}

std::optional<StridedView> StridedView::ThroughFusion(
    const HloInstruction& fusion) const {
  if (fusion.attrs<FusionAttrs>().kind != FusionKind::kLoop ||
      fusion.operand_count() != 1) {
    return std::nullopt;
  }
  std::vector<const HloInstruction*> moves;
  const HloInstruction* hlo =
      fusion.fused_instructions_computation()->root_instruction();
  for (; hlo->opcode() != HloOpcode::kParameter; hlo = hlo->operand(0)) {
    if (hlo->operand_count() != 1) return std::nullopt;
    moves.push_back(hlo);
  }
  std::optional<StridedView> view = *this;
  for (auto it = moves.rbegin(); it != moves.rend(); ++it) {
    view = view->Through(**it);
    if (!view.has_value()) return std::nullopt;
  }
  return view;
}

std::optional<StridedView> StridedView::Before(
    const HloInstruction& hlo) const {
  if (!HasPlainArrays(hlo)) return std::nullopt;
  switch (hlo.opcode()) {
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
      if (!KeepsType(hlo)) return std::nullopt;
      return Reshaped(hlo.operand(0)->shape().dimensions());
    case HloOpcode::kTranspose: {
      StridedView view;
      view.dimensions_.resize(dimensions_.size());
      const auto& permutation = hlo.attrs<TransposeAttrs>().dimensions;
      for (size_t i = 0; i < permutation.size(); ++i) {
        view.dimensions_[permutation[i]] = dimensions_[i];
      }
      return view;
    }
    default:
      return std::nullopt;
  }
}

bool SplitAlike(StridedDims& x, StridedDims& y) {
  if (SizeOf(x) != SizeOf(y)) return false;
  StridedDims from_x = std::move(x), from_y = std::move(y);
  x.clear();
  y.clear();
  // From the minor ones on.
  const auto take = [](StridedDims& from, int64_t size, StridedDims& to) {
    StridedDim& last = from.back();
    to.insert(to.begin(), {size, last.stride});
    last = {last.size / size, last.stride * size};
    if (last.size == 1) from.pop_back();
  };
  while (!from_x.empty() && !from_y.empty()) {
    const int64_t a = from_x.back().size, b = from_y.back().size;
    if (a % b != 0 && b % a != 0) return false;
    const int64_t size = std::min(a, b);
    take(from_x, size, x);
    take(from_y, size, y);
  }
  return from_x.empty() && from_y.empty();
}

}  // namespace xla::cpu
