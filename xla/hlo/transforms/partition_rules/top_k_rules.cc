// The rule of top-k. Where the elements to select from are divided, the best of
// each device are gathered, and the best of these are selected.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/transforms/partition_rules/indexing.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {
namespace {

int64_t LastDimension(const HloInstruction& hlo) {
  return hlo.operand(0)->shape().rank() - 1;
}

FactorSplit SplitTopK(const HloInstruction& hlo,
                      const DimensionFactors& factors, int32_t factor) {
  // All elements in order are a sort.
  const bool selects = FactorOf(factors, 0, LastDimension(hlo)) == factor &&
                       hlo.attrs<TopKAttrs>().k < factors.factors[factor].size;
  return selects ? FactorSplit::kCombined : DefaultSplit(factors, factor);
}

// How many elements each device selects from a part.
int64_t LocalCount(const HloInstruction& hlo, int64_t devices) {
  const int64_t size = hlo.operand(0)->shape().dimensions(LastDimension(hlo));
  return std::min(hlo.attrs<TopKAttrs>().k, CeilOfRatio(size, devices));
}

double CostOfTopK(const HloInstruction& hlo, const DimensionFactors& factors,
                  const FactorAxes& axes, const DeviceMesh&) {
  const int64_t last = LastDimension(hlo);
  const int32_t factor = FactorOf(factors, 0, last);
  if (factor < 0 || axes[factor].empty()) return 0;
  double rows = 1;
  for (int64_t d = 0; d < last; ++d) {
    const int32_t f = FactorOf(factors, 0, d);
    rows *= CeilOfRatio(hlo.operand(0)->shape().dimensions(d),
                        f < 0 ? 1 : SizeOf(axes[f]));
  }
  const int64_t devices = SizeOf(axes[factor]);
  const PrimitiveType type = hlo.operand(0)->shape().element_type();
  const int64_t bytes = primitive_util::ByteWidth(type) + sizeof(int32_t);
  return rows * bytes * (devices - 1) * LocalCount(hlo, devices);
}

// The value that comes after all others in the order of integers, or in the
// total order of floats.
HloInstruction* WorstValue(SpmdBuilder& emit, PrimitiveType type,
                           bool largest) {
  if (!primitive_util::IsFloatingPointType(type)) {
    return emit.Constant(ReductionIdentity(
        largest ? HloOpcode::kMaximum : HloOpcode::kMinimum, type));
  }
  // Bits that are all ones are the smallest NaN; without the sign, they are the
  // largest.
  const int width = primitive_util::BitWidth(type);
  uint64_t bits = ~uint64_t{0} >> (64 - width);
  if (type == F8E8M0FNU) {
    bits = largest ? 0 : bits;
  } else if (!largest) {
    bits >>= 1;
  }
  const PrimitiveType integer =
      primitive_util::SignedIntegralTypeForBitWidth(width);
  const int64_t value =
      static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  return emit.BitcastConvert(emit.Integer(integer, value), type);
}

HloInstruction* AddTopK(SpmdBuilder& emit, HloInstruction* x, TopKAttrs attrs) {
  std::vector<int64_t> sizes(x->shape().dimensions().begin(),
                             x->shape().dimensions().end());
  sizes.back() = attrs.k;
  return emit.Add(HloOpcode::kTopK,
                  ShapeUtil::MakeTupleShape(
                      {emit.MakeShape(x->shape().element_type(), sizes),
                       emit.MakeShape(S32, sizes)}),
                  {x}, attrs);
}

// Takes elements of each row at these positions.
HloInstruction* TakeFromRows(SpmdBuilder& emit, HloInstruction* x,
                             HloInstruction* positions) {
  const int64_t last = x->shape().rank() - 1;
  GatherAttrs attrs;
  GatherDimensionNumbers& numbers = attrs.dimension_numbers;
  for (int64_t d = 0; d < last; ++d) {
    numbers.add_operand_batching_dims(d);
    numbers.add_start_indices_batching_dims(d);
  }
  numbers.add_collapsed_slice_dims(last);
  numbers.add_start_index_map(last);
  numbers.set_index_vector_dim(last + 1);
  attrs.slice_sizes.assign(last + 1, 1);
  return emit.Add(HloOpcode::kGather,
                  emit.MakeShape(x->shape().element_type(),
                                 positions->shape().dimensions()),
                  {x, positions}, std::move(attrs));
}

absl::StatusOr<HloInstruction*> EmitTopK(PartitionedOp& op) {
  SpmdBuilder& emit = op.emit;
  const int64_t last = LastDimension(op.hlo);
  const AxisList& axes = op.OperandAxes(0, last);
  HloInstruction* x = op.operand(0);
  if (axes.empty()) return EmitOnParts(op, {x});
  TopKAttrs attrs = op.hlo.attrs<TopKAttrs>();
  const int64_t size = op.operands[0].shape.dimensions(last);
  const int64_t part = CeilOfRatio(size, SizeOf(axes));
  HloInstruction* offset = emit.Coordinate(*op.mesh, axes, part);
  if (size % SizeOf(axes) != 0) {
    x = emit.MaskDim(
        x, last, offset, 0, size,
        WorstValue(emit, x->shape().element_type(), attrs.largest));
  }
  // Of equal elements the first come first, on a device and among devices, and
  // those that stand for nothing are behind all others.
  TopKAttrs local_attrs = attrs;
  local_attrs.k = LocalCount(op.hlo, SizeOf(axes));
  HloInstruction* local = AddTopK(emit, x, local_attrs);
  HloInstruction* numbers = emit.Element(local, 1);
  numbers =
      emit.Plus(numbers, emit.Splat(offset, numbers->shape().dimensions()));
  HloInstruction* best = AddTopK(
      emit, emit.AllGather(emit.Element(local, 0), last, *op.mesh, axes),
      attrs);
  numbers = emit.AllGather(numbers, last, *op.mesh, axes);
  return emit.Tuple({emit.Element(best, 0),
                     TakeFromRows(emit, numbers, emit.Element(best, 1))});
}

constexpr OpRule kTopKRule = {
    .split = SplitTopK, .cost = CostOfTopK, .emit = EmitTopK};

}  // namespace

const OpRule& TopKRule() { return kTopKRule; }

}  // namespace xla
