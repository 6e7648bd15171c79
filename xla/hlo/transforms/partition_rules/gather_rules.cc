// The rule of gather. Where rows are divided, a device takes those that it has,
// and the other elements come from a reduction over the devices.
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/core/dimension_position.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/transforms/partition_rules/indexing.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {
namespace {

// An indexed dimension of which each slice has one element may be divided.
FactorSplit SplitGather(const HloInstruction& hlo,
                        const DimensionFactors& factors, int32_t factor) {
  const GatherAttrs& attrs = hlo.attrs<GatherAttrs>();
  // Indices without elements are not read, but count the slices.
  if (ShapeUtil::ElementsIn(hlo.operand(1)->shape()) == 0) {
    return FactorSplit::kWhole;
  }
  if (factors.factors[factor].kind != FactorKind::kWhole) {
    return DefaultSplit(factors, factor);
  }
  const int64_t d = DimensionOf(factors, 0, factor);
  const bool by_index =
      d >= 0 && attrs.slice_sizes[d] == 1 &&
      PositionOf(attrs.dimension_numbers.start_index_map(), d) >= 0 &&
      HasZero(hlo.shape().element_type());
  return by_index ? FactorSplit::kPartial : FactorSplit::kWhole;
}

// The sizes of slices in parts of the operand.
std::vector<int64_t> SliceSizesOfPart(const PartitionedOp& op) {
  std::vector<int64_t> sizes = op.hlo.attrs<GatherAttrs>().slice_sizes;
  const Shape& whole = op.operands[0].shape;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == whole.dimensions(d)) {
      sizes[d] = op.operand(0)->shape().dimensions(d);
    }
  }
  return sizes;
}

// The dimensions of the result that count slices.
std::vector<int64_t> BatchOfResult(const PartitionedOp& op) {
  const auto& offsets =
      op.hlo.attrs<GatherAttrs>().dimension_numbers.offset_dims();
  std::vector<int64_t> batch;
  for (int64_t d = 0; d < op.result_shape().rank(); ++d) {
    if (PositionOf(offsets, d) < 0) batch.push_back(d);
  }
  return batch;
}

absl::StatusOr<HloInstruction*> EmitGather(PartitionedOp& op) {
  const GatherAttrs& attrs = op.hlo.attrs<GatherAttrs>();
  const auto& map = attrs.dimension_numbers.start_index_map();
  const Shape& whole = op.operands[0].shape;
  // Indices become those into the part. One that is elsewhere takes an element
  // which is masked then.
  HloInstruction* is_here = nullptr;
  auto shift = [&](HloInstruction* x, int64_t d) {
    const int64_t size = whole.dimensions(d);
    x = ClampIndex(op.emit, x, 0, size - attrs.slice_sizes[d]);
    const AxisList& axes = op.OperandAxes(0, d);
    if (axes.empty() || size == attrs.slice_sizes[d]) return x;
    const int64_t part = CeilOfRatio(size, SizeOf(axes));
    x = op.emit.Minus(x, op.emit.Splat(op.emit.Coordinate(*op.mesh, axes, part),
                                       x->shape().dimensions()));
    HloInstruction* inside = op.emit.InRange(x, 0, part);
    is_here = is_here == nullptr ? inside : op.emit.And(is_here, inside);
    return x;
  };
  const bool rows_are_divided = absl::c_any_of(map, [&](int64_t d) {
    return !op.OperandAxes(0, d).empty() &&
           whole.dimensions(d) != attrs.slice_sizes[d];
  });
  HloInstruction* indices = op.operand(1);
  if (rows_are_divided) {
    indices =
        MapComponents(op.emit,
                      {indices, attrs.dimension_numbers.index_vector_dim(),
                       std::vector<int64_t>(map.begin(), map.end())},
                      shift);
  }
  HloInstruction* gather = EmitOnParts(op, {op.operand(0), indices});
  GatherAttrs& new_attrs = gather->mutable_attrs<GatherAttrs>();
  new_attrs.slice_sizes = SliceSizesOfPart(op);
  if (is_here == nullptr) return gather;
  // Clamping may have changed the order of vectors.
  new_attrs.indices_are_sorted = false;
  const Shape& part = gather->shape();
  const PrimitiveType type = part.element_type();
  HloInstruction* none =
      op.emit.Constant(ReductionIdentity(MergingOp(type), type));
  return op.emit.Select(
      op.emit.Broadcast(is_here, part.dimensions(), BatchOfResult(op)), gather,
      op.emit.Splat(none, part.dimensions()));
}

constexpr OpRule kGatherRule = {
    .split = SplitGather, .reducer = MergingOpOf, .emit = EmitGather};

}  // namespace

const OpRule& GatherRule() { return kGatherRule; }

}  // namespace xla
