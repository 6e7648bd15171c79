// The rule of select-and-scatter: each device does all windows that reach into
// its part, and keeps the part.
#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/partition_rules/window_split.h"

namespace xla {
namespace {

// The sizes of a dimension of the operand and of the source, and how many parts
// each has.
struct ScatterSizes {
  int64_t operand;
  int64_t source;
  int64_t parts;
  int64_t source_parts;
};

// The windows over a dimension that reach into each device's part.
struct ReachingWindows {
  DeviceWindows operand;  // what the windows are over, and the part
  DeviceWindows source;
  std::vector<int64_t> offsets;  // of the parts, in what devices get
  WindowDimension local;
  bool operand_ends = false;  // some of the operand's windows are outside
  bool source_ends = false;

  ReachingWindows(const WindowDimension& dim, const ScatterSizes& sizes);
};

ReachingWindows::ReachingWindows(const WindowDimension& dim,
                                 const ScatterSizes& sizes)
    : local(dim) {
  const int64_t part = CeilOfRatio(sizes.operand, sizes.parts);
  const int64_t low = dim.padding_low();
  const int64_t stride = dim.stride();
  // Elements between windows, which may be the first of a part.
  const int64_t gap = std::max<int64_t>(0, stride - dim.size());
  for (int64_t c = 0; c < sizes.parts; ++c) {
    const int64_t begin = c * part;
    const int64_t first = CeilOfRatio(begin + low - dim.size() + 1, stride);
    const int64_t last = FloorOfRatio(begin + part - 1 + low, stride);
    source.starts.push_back(first);
    source.size = std::max(source.size, last - first + 1);
    operand.starts.push_back(first * stride - low - gap);
    offsets.push_back(begin - operand.starts[c]);
    operand.size = std::max(operand.size, offsets[c] + part);
  }
  source.size = std::max<int64_t>(source.size, 1);
  const int64_t extent = gap + (source.size - 1) * stride + dim.size();
  operand.size = std::max(operand.size, extent);
  local.set_padding_low(-gap);
  local.set_padding_high(extent - operand.size);
  for (int64_t c = 0; c < sizes.parts; ++c) {
    const int64_t begin = c * part;
    const int64_t end = std::min(begin + part, sizes.operand);
    const int64_t first = std::max<int64_t>(source.starts[c], 0);
    const int64_t last =
        std::min(FloorOfRatio(end - 1 + low, stride), sizes.source - 1);
    if (begin >= end || first > last) {
      // No window reaches the part, whose elements do not matter either.
      operand.needed.push_back({0, 0});
      source.needed.push_back({0, 0});
    } else {
      source.needed.push_back(
          {first - source.starts[c], last - source.starts[c] + 1});
      const int64_t lower = std::max<int64_t>(first * stride - low, 0);
      const int64_t upper =
          std::min(last * stride - low + dim.size(), sizes.operand);
      operand.needed.push_back(
          {lower - operand.starts[c], upper - operand.starts[c]});
    }
    operand_ends |= operand.starts[c] < 0 ||
                    operand.starts[c] + operand.size > sizes.operand;
    source_ends |=
        source.starts[c] < 0 || source.starts[c] + source.size > sizes.source;
  }
}

FactorSplit SplitSelectAndScatter(const HloInstruction& hlo,
                                  const DimensionFactors& factors,
                                  int32_t factor) {
  return factors.factors[factor].kind == FactorKind::kWhole ||
                 IsEmptyOrHuge(hlo)
             ? FactorSplit::kWhole
             : FactorSplit::kLocal;
}

// Calls fn(d, windows, sizes) for the dimensions along which windows move and
// the result is split.
template <typename Fn>
void ForEachScattered(const HloInstruction& hlo,
                      const DimensionFactors& factors, const FactorAxes& axes,
                      const Fn& fn) {
  const Window& window = hlo.attrs<SelectAndScatterAttrs>().window;
  for (int d = 0; d < window.dimensions_size(); ++d) {
    const DimensionFactors::Dimension& dimension = factors.results[0][d];
    if (factors.IsOfKind(dimension, FactorKind::kPassedThrough)) continue;
    const SplitSizes split = SplitSizesOf(hlo, factors, axes, 1, d, d);
    if (split.result_parts == 1) continue;
    const ScatterSizes sizes = {split.result, split.operand, split.result_parts,
                                split.operand_parts};
    fn(d, ReachingWindows(window.dimensions(d), sizes), sizes);
  }
}

bool AcceptsSelectAndScatter(const HloInstruction& hlo,
                             const DimensionFactors& factors,
                             const FactorAxes& axes) {
  bool accepts = true;
  ForEachScattered(
      hlo, factors, axes,
      [&](int, const ReachingWindows& windows, const ScatterSizes& sizes) {
        accepts &= windows.operand.size <= 2 * (sizes.operand + sizes.source);
      });
  return accepts;
}

double CostOfSelectAndScatter(const HloInstruction& hlo,
                              const DimensionFactors& factors,
                              const FactorAxes& axes, const DeviceMesh&) {
  double cost = 0;
  ForEachScattered(
      hlo, factors, axes,
      [&](int d, const ReachingWindows& windows, const ScatterSizes& sizes) {
        cost += WindowExchange(sizes.operand, sizes.parts, windows.operand)
                    .Cost(BytesAlong(hlo, factors, axes, 0, d)) +
                WindowExchange(sizes.source, sizes.source_parts, windows.source)
                    .Cost(BytesAlong(hlo, factors, axes, 1, d));
      });
  return cost;
}

class SelectAndScatterEmitter {
 public:
  explicit SelectAndScatterEmitter(PartitionedOp& op)
      : op_(op), emit_(op.emit), attrs_(op.hlo.attrs<SelectAndScatterAttrs>()) {
    arrays_.operand = op.operand(0);
    arrays_.source = op.operand(1);
    arrays_.init = op.operand(2);
  }

  absl::StatusOr<HloInstruction*> Emit() {
    ForEachScattered(
        op_.hlo, op_.factors, op_.axes,
        [&](int d, const ReachingWindows& windows, const ScatterSizes& sizes) {
          Add(d, windows, sizes);
        });
    HloInstruction* result = emit_.Add(
        HloOpcode::kSelectAndScatter, arrays_.operand->shape(),
        {arrays_.operand, arrays_.source, arrays_.init}, attrs_,
        {op_.hlo.called_computations()[0], op_.hlo.called_computations()[1]});
    if (!ends_.empty()) {
      AddEnds();
      // The formula has the windows of the op, which nothing uses.
      HloInstruction* op = result;
      TF_ASSIGN_OR_RETURN(result, EmitSelectAndScatter(emit_, *op, arrays_));
      TF_RETURN_IF_ERROR(emit_.computation()->RemoveInstruction(op));
    }
    for (const auto& [d, offset, size] : slices_) {
      result = emit_.DynamicSliceDim(result, d, offset, size);
    }
    return result;
  }

 private:
  // Elements of the operand or source outside of [0, size) do not exist.
  struct End {
    bool of_source;
    int dimension;
    HloInstruction* start;
    int64_t size;
  };
  struct PartSlice {
    int dimension;
    HloInstruction* offset;
    int64_t size;
  };

  void AddEnds() {
    for (const End& end : ends_) {
      HloInstruction*& within =
          end.of_source ? arrays_.source_within : arrays_.operand_within;
      HloInstruction* along =
          Within(end, end.of_source ? arrays_.source : arrays_.operand);
      within = within == nullptr ? along : emit_.And(within, along);
    }
  }

  void Add(int d, const ReachingWindows& windows, const ScatterSizes& sizes) {
    const AxisList& axes = op_.ResultAxes(d);
    const DeviceLine line = {*op_.mesh, axes};
    const int64_t part = CeilOfRatio(sizes.operand, sizes.parts);
    arrays_.operand =
        WindowExchange(sizes.operand, sizes.parts, windows.operand)
            .Emit(emit_, arrays_.operand, d, line, nullptr);
    arrays_.source =
        WindowExchange(sizes.source, sizes.source_parts, windows.source)
            .Emit(emit_, arrays_.source, d, line, nullptr);
    if (windows.operand_ends) {
      ends_.push_back({false, d, line.Number(emit_, windows.operand.starts),
                       sizes.operand});
    }
    if (windows.source_ends) {
      ends_.push_back(
          {true, d, line.Number(emit_, windows.source.starts), sizes.source});
    }
    slices_.push_back({d, line.Number(emit_, windows.offsets), part});
    *attrs_.window.mutable_dimensions(d) = windows.local;
  }

  HloInstruction* Within(const End& end, const HloInstruction* array) {
    const absl::Span<const int64_t> sizes = array->shape().dimensions();
    HloInstruction* index = emit_.Iota(S32, {sizes[end.dimension]}, 0);
    index = emit_.Plus(index, emit_.Splat(end.start, {sizes[end.dimension]}));
    HloInstruction* inside =
        emit_.And(emit_.Compare(ComparisonDirection::kGe, index,
                                emit_.IntegerLike(index, 0)),
                  emit_.Compare(ComparisonDirection::kLt, index,
                                emit_.IntegerLike(index, end.size)));
    return emit_.Broadcast(inside, sizes, {end.dimension});
  }

  PartitionedOp& op_;
  SpmdBuilder& emit_;
  SelectAndScatterAttrs attrs_;
  SelectAndScatterArrays arrays_;
  std::vector<End> ends_;
  std::vector<PartSlice> slices_;
};

absl::StatusOr<HloInstruction*> EmitScatteredParts(PartitionedOp& op) {
  return SelectAndScatterEmitter(op).Emit();
}

constexpr OpRule kSelectAndScatterRule = {.split = SplitSelectAndScatter,
                                          .accepts = AcceptsSelectAndScatter,
                                          .cost = CostOfSelectAndScatter,
                                          .emit = EmitScatteredParts};

}  // namespace

const OpRule& SelectAndScatterRule() { return kSelectAndScatterRule; }

}  // namespace xla
