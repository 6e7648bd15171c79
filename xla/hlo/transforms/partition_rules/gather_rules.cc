// The rule of gather. Where rows are divided, a device takes those that it has,
// and the other elements come from a reduction over the devices. Windows of
// several rows are taken from the part between rows of nothing.
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

// An indexed dimension may be divided: each device has some of the elements.
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
      d >= 0 && PositionOf(attrs.dimension_numbers.start_index_map(), d) >= 0 &&
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

class GatherEmitter {
 public:
  explicit GatherEmitter(PartitionedOp& op)
      : op_(op),
        emit_(op.emit),
        attrs_(op.hlo.attrs<GatherAttrs>()),
        whole_(op.operands[0].shape) {
    const PrimitiveType type = op.result_shape().element_type();
    none_ = ReductionIdentity(MergingOp(type), type);
  }

  HloInstruction* Emit() {
    const auto& map = attrs_.dimension_numbers.start_index_map();
    const bool rows_are_divided =
        absl::c_any_of(map, [&](int64_t d) { return IsDividedByIndex(d); });
    if (!rows_are_divided) {
      HloInstruction* gather = EmitOnParts(op_, op_.OperandParts());
      gather->mutable_attrs<GatherAttrs>().slice_sizes = SliceSizesOfPart(op_);
      return gather;
    }
    HloInstruction* operand = op_.operand(0);
    for (const int64_t d : map) operand = Widen(operand, d);
    HloInstruction* indices = MapComponents(
        emit_,
        {op_.operand(1), attrs_.dimension_numbers.index_vector_dim(),
         std::vector<int64_t>(map.begin(), map.end())},
        [&](HloInstruction* x, int64_t d) { return IndexOfPart(x, d); });
    HloInstruction* gather = EmitOnParts(op_, {operand, indices});
    GatherAttrs& attrs = gather->mutable_attrs<GatherAttrs>();
    attrs.slice_sizes = SliceSizesOfPart(op_);
    // Clamping may have changed the order of vectors.
    attrs.indices_are_sorted = false;
    return is_here_ == nullptr ? gather : Mask(gather);
  }

 private:
  int64_t SliceSize(int64_t d) const { return attrs_.slice_sizes[d]; }
  bool IsDividedByIndex(int64_t d) const {
    return !op_.OperandAxes(0, d).empty() &&
           whole_.dimensions(d) != SliceSize(d);
  }
  HloInstruction* None() { return emit_.Constant(none_.Clone()); }

  // Puts as many elements of nothing as a slice has on both sides.
  HloInstruction* Widen(HloInstruction* part, int64_t d) {
    const int64_t slice = SliceSize(d);
    if (!IsDividedByIndex(d) || slice == 1) return part;
    return emit_.PadDim(part, d, slice, slice, None());
  }

  // Indices become those into the part. One element that is elsewhere becomes
  // any, which is masked then; a slice begins in what Widen adds.
  HloInstruction* IndexOfPart(HloInstruction* x, int64_t d) {
    const int64_t size = whole_.dimensions(d);
    const int64_t slice = SliceSize(d);
    x = ClampIndex(emit_, x, 0, size - slice);
    if (!IsDividedByIndex(d)) return x;
    const AxisList& axes = op_.OperandAxes(0, d);
    const int64_t part = CeilOfRatio(size, SizeOf(axes));
    x = emit_.Minus(x, emit_.Splat(emit_.Coordinate(*op_.mesh, axes, part),
                                   x->shape().dimensions()));
    if (slice > 1) {
      x = ClampIndex(emit_, x, -slice, part);
      return emit_.Plus(x, emit_.IntegerLike(x, slice));
    }
    HloInstruction* inside = emit_.InRange(x, 0, part);
    is_here_ = is_here_ == nullptr ? inside : emit_.And(is_here_, inside);
    return x;
  }

  HloInstruction* Mask(HloInstruction* gather) {
    const absl::Span<const int64_t> sizes = gather->shape().dimensions();
    HloInstruction* mask = emit_.Broadcast(is_here_, sizes, BatchOfResult(op_));
    return emit_.Select(mask, gather, emit_.Splat(None(), sizes));
  }

  PartitionedOp& op_;
  SpmdBuilder& emit_;
  const GatherAttrs& attrs_;
  const Shape& whole_;
  Literal none_;
  HloInstruction* is_here_ = nullptr;
};

absl::StatusOr<HloInstruction*> EmitGather(PartitionedOp& op) {
  return GatherEmitter(op).Emit();
}

constexpr OpRule kGatherRule = {
    .split = SplitGather, .reducer = MergingOpOf, .emit = EmitGather};

}  // namespace

const OpRule& GatherRule() { return kGatherRule; }

}  // namespace xla
