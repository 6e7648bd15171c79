// Windows over holes begin at a different offset on each device, if parts of
// the result do not begin at elements.
#include "xla/hlo/transforms/partition_rules/window_split.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla {
namespace {

// Where each device's windows begin and end.
DilatedWindows WindowsOfResult(const WindowDimension& dim,
                               const SplitSizes& sizes) {
  const int64_t part = CeilOfRatio(sizes.result, sizes.result_parts);
  const auto extent_of = [&](int64_t results) {
    return (results - 1) * dim.stride() +
           (dim.size() - 1) * dim.window_dilation() + 1;
  };
  DilatedWindows windows;
  windows.extent = extent_of(part);
  for (int64_t c = 0; c < sizes.result_parts; ++c) {
    const int64_t first = c * part;
    windows.starts.push_back(first * dim.stride() - dim.padding_low());
    const int64_t results = std::min(part, sizes.result - first);
    windows.needed.push_back(results <= 0 ? 0 : extent_of(results));
  }
  return windows;
}

std::vector<int64_t> OffsetsOf(int64_t base_dilation,
                               const DilatedWindows& windows) {
  std::vector<int64_t> offsets;
  for (const int64_t start : windows.starts) {
    offsets.push_back(start - RoundDownTo(start, base_dilation));
  }
  return offsets;
}

DeviceWindows ElementsOfWindows(int64_t base_dilation,
                                const DilatedWindows& windows, int64_t size) {
  DeviceWindows elements;
  elements.size = size;
  for (size_t c = 0; c < windows.starts.size(); ++c) {
    const int64_t start = windows.starts[c];
    const int64_t first = FloorOfRatio(start, base_dilation);
    elements.starts.push_back(first);
    const int64_t end = start + windows.needed[c];
    elements.needed.push_back(
        {CeilOfRatio(start, base_dilation) - first,
         windows.needed[c] == 0 ? 0 : CeilOfRatio(end, base_dilation) - first});
  }
  return elements;
}

}  // namespace

WindowSplit::WindowSplit(const WindowDimension& dim, const SplitSizes& sizes)
    : WindowSplit(sizes.operand, sizes.operand_parts, dim.base_dilation(),
                  WindowsOfResult(dim, sizes)) {}

WindowSplit::WindowSplit(int64_t size, int64_t parts, int64_t base_dilation,
                         const DilatedWindows& windows)
    : base_dilation_(base_dilation),
      extent_(windows.extent),
      offsets_(OffsetsOf(base_dilation, windows)),
      same_offsets_(absl::c_all_of(
          offsets_, [&](int64_t offset) { return offset == offsets_[0]; })),
      size_((*absl::c_max_element(offsets_) + extent_ - 1) / base_dilation + 1),
      exchange_(size, parts, ElementsOfWindows(base_dilation, windows, size_)) {
}

bool WindowSplit::needs_fill() const {
  return exchange_.needs_fill() || !same_offsets_;
}

HloInstruction* WindowSplit::Emit(SpmdBuilder& emit, HloInstruction* part,
                                  int64_t dimension, const DeviceLine& line,
                                  HloInstruction* fill,
                                  WindowDimension& local) const {
  HloInstruction* x = exchange_.Emit(emit, part, dimension, line, fill);
  const int64_t dilated = (size_ - 1) * base_dilation_ + 1;
  if (same_offsets_) {
    local.set_padding_low(-offsets_[0]);
    local.set_padding_high(offsets_[0] + extent_ - dilated);
    return x;
  }
  PadAttrs attrs;
  Shape shape = x->shape();
  const int64_t end = *absl::c_max_element(offsets_) + extent_;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    auto* padding = attrs.padding.add_dimensions();
    if (d != dimension) continue;
    padding->set_interior_padding(base_dilation_ - 1);
    padding->set_edge_padding_high(end - dilated);
    shape.set_dimensions(static_cast<int>(d), end);
  }
  x = emit.Add(HloOpcode::kPad, shape, {x, fill}, std::move(attrs));
  local.set_padding_low(0);
  local.set_padding_high(0);
  local.set_base_dilation(1);
  return emit.DynamicSliceDim(x, dimension, line.Number(emit, offsets_),
                              extent_);
}

AxisList AxesOfDimension(const FactorAxes& axes,
                         const DimensionFactors::Dimension& dimension) {
  AxisList all;
  for (const int32_t factor : dimension) Append(axes[factor], all);
  return all;
}

SplitSizes SplitSizesOf(const HloInstruction& hlo,
                        const DimensionFactors& factors, const FactorAxes& axes,
                        int64_t i, int64_t d, int64_t result_d) {
  const Shape& result = *Leaves(hlo.shape())[0];
  return {hlo.operand(i)->shape().dimensions(static_cast<int>(d)),
          SizeOf(AxesOfDimension(axes, factors.operands[i][d])),
          result.dimensions(static_cast<int>(result_d)),
          SizeOf(AxesOfDimension(axes, factors.results[0][result_d]))};
}

bool IsFeasible(const WindowSplit& split, const SplitSizes& sizes) {
  return split.size() <= 2 * (sizes.operand + sizes.result);
}

double BytesAlong(const HloInstruction& hlo, const DimensionFactors& factors,
                  const FactorAxes& axes, int64_t i, int64_t d) {
  const Shape& shape = hlo.operand(i)->shape();
  double bytes = primitive_util::ByteWidth(shape.element_type());
  for (int64_t e = 0; e < shape.rank(); ++e) {
    if (e == d) continue;
    bytes *= static_cast<double>(
        CeilOfRatio(shape.dimensions(static_cast<int>(e)),
                    SizeOf(AxesOfDimension(axes, factors.operands[i][e]))));
  }
  return bytes;
}

bool CanBeSummedExactly(PrimitiveType type) {
  return type == PRED || type == F16 || type == BF16 || type == F32 ||
         type == F64 || type == C64 || type == C128 ||
         primitive_util::IsIntegralType(type);
}

bool IsEmptyOrHuge(const HloInstruction& hlo) {
  const auto is = [](const Shape& shape) {
    return absl::c_any_of(shape.dimensions(), [](int64_t size) {
      return size == 0 || size > std::numeric_limits<int32_t>::max();
    });
  };
  return is(*Leaves(hlo.shape())[0]) ||
         absl::c_any_of(hlo.operands(), [&](const HloInstruction* operand) {
           return is(operand->shape());
         });
}

}  // namespace xla
