// Rules of ops whose elements move along dimensions by known distances: slice,
// pad, reverse and concatenate.
#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/partition_rules/indexing.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/partition_rules/window_split.h"
#include "xla/hlo/transforms/resharding/resharding.h"

namespace xla {
namespace {

// The window of a dimension's slice or pad.
WindowDimension MovedDimension(int64_t start, int64_t stride,
                               int64_t dilation) {
  WindowDimension dim;
  dim.set_size(1);
  dim.set_stride(stride);
  dim.set_padding_low(-start);
  dim.set_window_dilation(1);
  dim.set_base_dilation(dilation);
  return dim;
}

WindowDimension WindowOfSlice(const SliceRange& range) {
  return MovedDimension(range.start, range.stride, 1);
}

WindowDimension WindowOfPad(const PaddingConfig::PaddingConfigDimension& pad) {
  return MovedDimension(-pad.edge_padding_low(), 1, pad.interior_padding() + 1);
}

FactorSplit SplitMoved(const HloInstruction& hlo,
                       const DimensionFactors& factors, int32_t factor) {
  const FactorKind kind = factors.factors[factor].kind;
  return kind != FactorKind::kWhole && !IsEmptyOrHuge(hlo)
             ? FactorSplit::kLocal
             : FactorSplit::kWhole;
}

// A dimension of which the slice has one element is a sum over devices, all but
// one of which add nothing.
FactorSplit SplitSlice(const HloInstruction& hlo,
                       const DimensionFactors& factors, int32_t factor) {
  if (factors.factors[factor].kind == FactorKind::kWhole &&
      CanBeSummedExactly(hlo.shape().element_type()) && !IsEmptyOrHuge(hlo)) {
    return FactorSplit::kPartial;
  }
  return SplitMoved(hlo, factors, factor);
}

// Calls fn(d, split, sizes) for the dimensions of a slice or pad along which
// elements move and the result is split.
template <typename Fn>
void ForEachMoved(const HloInstruction& hlo, const DimensionFactors& factors,
                  const FactorAxes& axes, const Fn& fn) {
  for (int64_t d = 0; d < hlo.shape().rank(); ++d) {
    const SplitSizes sizes = SplitSizesOf(hlo, factors, axes, 0, d, d);
    if (sizes.result_parts == 1) continue;
    const WindowDimension dim =
        hlo.opcode() == HloOpcode::kSlice
            ? WindowOfSlice(hlo.attrs<SliceAttrs>().slice[d])
            : WindowOfPad(hlo.attrs<PadAttrs>().padding.dimensions(
                  static_cast<int>(d)));
    fn(d, WindowSplit(dim, sizes), sizes);
  }
}

bool AcceptsMoved(const HloInstruction& hlo, const DimensionFactors& factors,
                  const FactorAxes& axes) {
  bool accepts = true;
  ForEachMoved(hlo, factors, axes,
               [&](int64_t, const WindowSplit& split, const SplitSizes& sizes) {
                 accepts &= IsFeasible(split, sizes);
               });
  return accepts;
}

double CostOfMoved(const HloInstruction& hlo, const DimensionFactors& factors,
                   const FactorAxes& axes, const DeviceMesh&) {
  double cost = 0;
  ForEachMoved(
      hlo, factors, axes,
      [&](int64_t d, const WindowSplit& split, const SplitSizes&) {
        cost += split.exchange().Cost(BytesAlong(hlo, factors, axes, 0, d));
      });
  return cost;
}

absl::StatusOr<HloInstruction*> EmitSlice(PartitionedOp& op) {
  const std::vector<SliceRange>& ranges = op.hlo.attrs<SliceAttrs>().slice;
  const Shape part = op.PartOfResult();
  HloInstruction* x = op.operand(0);
  HloInstruction* is_owner = nullptr;
  std::vector<int64_t> starts;
  std::vector<int64_t> limits;
  std::vector<int64_t> strides;
  for (int64_t d = 0; d < part.rank(); ++d) {
    const SplitSizes sizes = SplitSizesOf(op.hlo, op.factors, op.axes, 0, d, d);
    starts.push_back(ranges[d].start);
    strides.push_back(ranges[d].stride);
    if (sizes.result_parts > 1) {
      WindowDimension local = WindowOfSlice(ranges[d]);
      x = WindowSplit(local, sizes)
              .Emit(op.emit, x, d, {*op.mesh, op.ResultAxes(d)}, nullptr,
                    local);
      starts[d] = 0;
    } else if (sizes.operand_parts > 1) {
      const int64_t size = CeilOfRatio(sizes.operand, sizes.operand_parts);
      HloInstruction* is_owner_along =
          op.emit.IsAt(*op.mesh, op.OperandAxes(0, d), starts[d] / size);
      is_owner = is_owner == nullptr ? is_owner_along
                                     : op.emit.And(is_owner, is_owner_along);
      starts[d] %= size;
    }
    const int64_t count = part.dimensions(static_cast<int>(d));
    limits.push_back(count == 0 ? starts[d]
                                : starts[d] + (count - 1) * strides[d] + 1);
  }
  x = op.emit.Slice(x, starts, limits, strides);
  if (is_owner == nullptr) return x;
  HloInstruction* none = op.emit.Constant(
      ReductionIdentity(MergingOpOf(op.hlo), part.element_type()));
  return op.emit.Select(op.emit.Splat(is_owner, part.dimensions()), x,
                        op.emit.Splat(none, part.dimensions()));
}

absl::StatusOr<HloInstruction*> EmitPad(PartitionedOp& op) {
  PadAttrs attrs = op.hlo.attrs<PadAttrs>();
  const Shape part = op.PartOfResult();
  HloInstruction* x = op.operand(0);
  for (int64_t d = 0; d < part.rank(); ++d) {
    const SplitSizes sizes = SplitSizesOf(op.hlo, op.factors, op.axes, 0, d, d);
    if (sizes.result_parts == 1) continue;
    auto* padding = attrs.padding.mutable_dimensions(static_cast<int>(d));
    WindowDimension local = WindowOfPad(*padding);
    x = WindowSplit(local, sizes)
            .Emit(op.emit, x, d, {*op.mesh, op.ResultAxes(d)}, op.operand(1),
                  local);
    padding->set_edge_padding_low(local.padding_low());
    padding->set_edge_padding_high(local.padding_high());
    padding->set_interior_padding(local.base_dilation() - 1);
  }
  const auto changes = [](const auto& padding) {
    return padding.edge_padding_low() != 0 ||
           padding.edge_padding_high() != 0 || padding.interior_padding() != 0;
  };
  if (std::none_of(attrs.padding.dimensions().begin(),
                   attrs.padding.dimensions().end(), changes)) {
    return x;
  }
  return op.emit.Add(HloOpcode::kPad, part, {x, op.operand(1)},
                     std::move(attrs));
}

// Device c has the last part but c of the dimension, which the others hold.
WindowExchange ExchangeOfReverse(int64_t size, int64_t parts) {
  DeviceWindows windows;
  windows.size = CeilOfRatio(size, parts);
  for (int64_t c = 0; c < parts; ++c) {
    const int64_t start = size - (c + 1) * windows.size;
    windows.starts.push_back(start);
    windows.needed.push_back(
        {std::clamp<int64_t>(-start, 0, windows.size), windows.size});
  }
  return WindowExchange(size, parts, std::move(windows));
}

double CostOfReverse(const HloInstruction& hlo, const DimensionFactors& factors,
                     const FactorAxes& axes, const DeviceMesh&) {
  double cost = 0;
  for (const int64_t d : hlo.attrs<ReverseAttrs>().dimensions) {
    const SplitSizes sizes = SplitSizesOf(hlo, factors, axes, 0, d, d);
    if (sizes.result_parts == 1) continue;
    cost += ExchangeOfReverse(sizes.operand, sizes.operand_parts)
                .Cost(BytesAlong(hlo, factors, axes, 0, d));
  }
  return cost;
}

absl::StatusOr<HloInstruction*> EmitReverse(PartitionedOp& op) {
  HloInstruction* x = op.operand(0);
  for (const int64_t d : op.hlo.attrs<ReverseAttrs>().dimensions) {
    const AxisList& axes = op.ResultAxes(d);
    if (axes.empty()) continue;
    const int64_t size = op.result_shape().dimensions(static_cast<int>(d));
    x = ExchangeOfReverse(size, SizeOf(axes))
            .Emit(op.emit, x, d, {*op.mesh, axes}, nullptr);
  }
  return EmitOnParts(op, {x});
}

// What operand `i`, whose first element is element `base` of the result, gives
// to each device's part of the result.
WindowExchange ExchangeOfOperand(const SplitSizes& sizes, int64_t base) {
  DeviceWindows windows;
  windows.size = CeilOfRatio(sizes.result, sizes.result_parts);
  for (int64_t c = 0; c < sizes.result_parts; ++c) {
    const int64_t start = c * windows.size - base;
    windows.starts.push_back(start);
    windows.needed.push_back(
        {std::clamp<int64_t>(-start, 0, windows.size),
         std::clamp<int64_t>(sizes.operand - start, 0, windows.size)});
  }
  return WindowExchange(sizes.operand, sizes.operand_parts, std::move(windows));
}

double CostOfConcatenate(const HloInstruction& hlo,
                         const DimensionFactors& factors,
                         const FactorAxes& axes, const DeviceMesh&) {
  const int64_t d = hlo.attrs<ConcatenateAttrs>().dimensions[0];
  double cost = 0;
  int64_t base = 0;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    const SplitSizes sizes = SplitSizesOf(hlo, factors, axes, i, d, d);
    if (sizes.result_parts == 1) return 0;
    cost += ExchangeOfOperand(sizes, base)
                .Cost(BytesAlong(hlo, factors, axes, i, d));
    base += sizes.operand;
  }
  return cost;
}

absl::StatusOr<HloInstruction*> EmitConcatenate(PartitionedOp& op) {
  const int64_t d = op.hlo.attrs<ConcatenateAttrs>().dimensions[0];
  const AxisList& axes = op.ResultAxes(d);
  if (axes.empty()) {
    return EmitOnParts(op, op.OperandParts());
  }
  const DeviceLine line = {*op.mesh, axes};
  std::vector<WindowPiece> pieces;
  int64_t base = 0;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const SplitSizes sizes = SplitSizesOf(op.hlo, op.factors, op.axes, i, d, d);
    ExchangeOfOperand(sizes, base)
        .AddPieces(op.emit, op.operand(i), d, line, pieces);
    base += sizes.operand;
  }
  return AssembleWindows(op.emit, pieces, d,
                         op.PartOfResult().dimensions(static_cast<int>(d)),
                         line);
}

constexpr OpRule kSliceRule = {.split = SplitSlice,
                               .accepts = AcceptsMoved,
                               .cost = CostOfMoved,
                               .reducer = MergingOpOf,
                               .emit = EmitSlice};
constexpr OpRule kPadRule = {.split = SplitMoved,
                             .accepts = AcceptsMoved,
                             .cost = CostOfMoved,
                             .emit = EmitPad};
constexpr OpRule kReverseRule = {
    .split = SplitMoved, .cost = CostOfReverse, .emit = EmitReverse};
constexpr OpRule kConcatenateRule = {
    .split = SplitMoved, .cost = CostOfConcatenate, .emit = EmitConcatenate};

}  // namespace

const OpRule& SliceRule() { return kSliceRule; }
const OpRule& PadRule() { return kPadRule; }
const OpRule& ReverseRule() { return kReverseRule; }
const OpRule& ConcatenateRule() { return kConcatenateRule; }

}  // namespace xla
