// Rules of dynamic-slice and dynamic-update-slice. Where the sliced dimension
// is divided, a device works on a window of its part: at most as many elements
// as the slice has, at the place that is nearest to the slice.
#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/partition_rules/indexing.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {
namespace {

// The window of a part along one dimension.
struct SliceWindow {
  int64_t dimension;
  int64_t slice_size;
  int64_t size;
  HloInstruction* start;   // s32[]: the first element, in the part
  HloInstruction* offset;  // s32[]: its position in the slice, or before it
};

// The start index of a dimension; those from operand `first` on are scalars, or
// one vector.
HloInstruction* StartIndex(PartitionedOp& op, int64_t first, int64_t d) {
  HloInstruction* start = op.operand(first);
  return start->shape().dimensions().empty() ? op.operand(first + d)
                                             : op.emit.At(start, d);
}

// `start` is where the slice begins in the whole.
SliceWindow FindWindow(PartitionedOp& op, int64_t d, int64_t slice_size,
                       HloInstruction* start) {
  const AxisList& axes = op.OperandAxes(0, d);
  const int64_t part =
      CeilOfRatio(op.operands[0].shape.dimensions(d), SizeOf(axes));
  SliceWindow window{d, slice_size, std::min(slice_size, part)};
  HloInstruction* local =
      op.emit.Minus(start, op.emit.Coordinate(*op.mesh, axes, part));
  window.start = op.emit.Clamp(local, 0, part - window.size);
  window.offset = op.emit.Minus(window.start, local);
  return window;
}

// A slice of the operand, with the windows in place of what is divided.
struct LocalSlice {
  std::vector<HloInstruction*> starts;  // s32[]
  std::vector<int64_t> sizes;
  std::vector<SliceWindow> windows;
};

// `slice` is the shape of the slice in the whole, `part` that of its part.
LocalSlice FindLocalSlice(PartitionedOp& op, const Shape& slice,
                          const Shape& part, int64_t first_start) {
  LocalSlice local;
  const Shape& whole = op.operands[0].shape;
  for (int64_t d = 0; d < whole.rank(); ++d) {
    const int64_t most = whole.dimensions(d) - slice.dimensions(d);
    local.sizes.push_back(part.dimensions(d));
    if (most == 0) {
      local.starts.push_back(op.emit.Index(0));
      continue;
    }
    HloInstruction* start =
        ClampIndex(op.emit, StartIndex(op, first_start, d), 0, most);
    if (!op.OperandAxes(0, d).empty()) {
      const SliceWindow window = FindWindow(op, d, slice.dimensions(d), start);
      start = window.start;
      local.sizes.back() = window.size;
      local.windows.push_back(window);
    }
    local.starts.push_back(start);
  }
  return local;
}

// Whether a dimension that is divided is not sliced whole.
bool SlicesParts(const PartitionedOp& op, const Shape& slice) {
  const Shape& whole = op.operands[0].shape;
  for (int64_t d = 0; d < whole.rank(); ++d) {
    if (whole.dimensions(d) != slice.dimensions(d) &&
        !op.OperandAxes(0, d).empty()) {
      return true;
    }
  }
  return false;
}

// Returns elements [by, by + size) along a dimension, and `fill`, a scalar,
// where there are none.
HloInstruction* TakeShifted(SpmdBuilder& emit, HloInstruction* x, int64_t d,
                            HloInstruction* by, int64_t size,
                            HloInstruction* fill) {
  x = emit.PadDim(x, d, size, size, fill);
  return emit.DynamicSliceDim(x, d, emit.Plus(by, emit.Index(size)), size);
}

FactorSplit SplitDynamicSlice(const HloInstruction& hlo,
                              const DimensionFactors& factors, int32_t factor) {
  if (factors.factors[factor].kind == FactorKind::kWhole &&
      DimensionOf(factors, 0, factor) >= 0 &&
      HasZero(hlo.shape().element_type())) {
    return FactorSplit::kPartial;
  }
  return DefaultSplit(factors, factor);
}

absl::StatusOr<HloInstruction*> EmitDynamicSlice(PartitionedOp& op) {
  const Shape part = op.PartOfResult();
  if (!SlicesParts(op, op.result_shape())) {
    HloInstruction* slice = EmitOnParts(op, op.OperandParts());
    slice->mutable_attrs<DynamicSliceAttrs>().dynamic_slice_sizes.assign(
        part.dimensions().begin(), part.dimensions().end());
    return slice;
  }
  const LocalSlice local = FindLocalSlice(op, op.result_shape(), part, 1);
  HloInstruction* slice =
      op.emit.DynamicSlice(op.operand(0), local.starts, local.sizes);
  const PrimitiveType type = part.element_type();
  HloInstruction* none =
      op.emit.Constant(ReductionIdentity(MergingOp(type), type));
  for (const SliceWindow& window : local.windows) {
    HloInstruction* by = op.emit.Minus(op.emit.Index(0), window.offset);
    slice = TakeShifted(op.emit, slice, window.dimension, by, window.slice_size,
                        none);
  }
  return slice;
}

FactorSplit SplitDynamicUpdateSlice(const HloInstruction&,
                                    const DimensionFactors& factors,
                                    int32_t factor) {
  return DimensionOf(factors, 0, factor) >= 0 ? FactorSplit::kLocal
                                              : FactorSplit::kWhole;
}

// Which elements of the windows are updated.
HloInstruction* UpdatedElements(SpmdBuilder& emit, const LocalSlice& local) {
  HloInstruction* all = nullptr;
  for (const SliceWindow& window : local.windows) {
    HloInstruction* inside = emit.InRange(
        emit.Positions(window.size, window.offset), 0, window.slice_size);
    inside = emit.Broadcast(inside, local.sizes, {window.dimension});
    all = all == nullptr ? inside : emit.And(all, inside);
  }
  return all;
}

// Reads a window, replaces the elements that the update has, and writes it
// back, so that the part itself can be updated in place.
absl::StatusOr<HloInstruction*> EmitDynamicUpdateSlice(PartitionedOp& op) {
  const PartitionedArray& update = op.operands[1];
  if (!SlicesParts(op, update.shape)) return EmitOnParts(op, op.OperandParts());
  const LocalSlice local =
      FindLocalSlice(op, update.shape, update.part->shape(), 2);
  HloInstruction* old =
      op.emit.DynamicSlice(op.operand(0), local.starts, local.sizes);
  HloInstruction* zero = op.emit.Zero(update.shape.element_type());
  HloInstruction* shifted = update.part;
  for (const SliceWindow& window : local.windows) {
    shifted = TakeShifted(op.emit, shifted, window.dimension, window.offset,
                          window.size, zero);
  }
  HloInstruction* window =
      op.emit.Select(UpdatedElements(op.emit, local), shifted, old);
  return op.emit.DynamicUpdateSlice(op.operand(0), window, local.starts);
}

constexpr OpRule kDynamicSliceRule = {.split = SplitDynamicSlice,
                                      .reducer = MergingOpOf,
                                      .emit = EmitDynamicSlice};
constexpr OpRule kDynamicUpdateSliceRule = {.split = SplitDynamicUpdateSlice,
                                            .emit = EmitDynamicUpdateSlice};

}  // namespace

const OpRule& DynamicSliceRule() { return kDynamicSliceRule; }
const OpRule& DynamicUpdateSliceRule() { return kDynamicUpdateSliceRule; }

}  // namespace xla
