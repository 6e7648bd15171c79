// Most ops have operands and results of one order; broadcast, reduce and
// reshape have rules of their own.
#include "xla/hlo/transforms/layout/ordered_op.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

int64_t PositionOf(const DimensionOrder& order, int64_t dimension) {
  return absl::c_find(order, dimension) - order.begin();
}

// Returns whether dimension i of the result is that of each operand that is no
// scalar.
bool KeepsDimensions(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kMap:
    case HloOpcode::kCopy:
      return false;
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kPad:
    case HloOpcode::kConcatenate:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kGetTupleElement:
      return true;
    case HloOpcode::kBitcastConvert:
      return hlo.shape().rank() == hlo.operand(0)->shape().rank();
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kDynamicUpdateSlice:
      return ShapeUtil::IsScalar(hlo.operands().back()->shape());
    default:
      return hlo.IsElementwiseOp() && hlo.operand_count() > 0;
  }
}

// Returns whether `order` keeps those dimensions for which `combines` holds,
// along which elements are combined one after another, in their order.
template <typename Combines>
bool KeepsSequence(const DimensionOrder& order, const Combines& combines) {
  int64_t last = -1;
  for (int64_t d : order) {
    if (!combines(d)) continue;
    if (d < last) return false;
    last = d;
  }
  return true;
}

bool KeepsWindowSequence(const Window& window, const DimensionOrder& order) {
  return KeepsSequence(order, [&](int64_t d) {
    return window.dimensions(static_cast<int>(d)).size() != 1;
  });
}

// Returns whether the values of a reduction stay the same in `order`, that of
// the operand.
bool KeepsReduction(const HloInstruction& hlo, const DimensionOrder& order) {
  switch (hlo.opcode()) {
    case HloOpcode::kReduce: {
      if (OneOpOf(*hlo.to_apply()).has_value()) return true;
      const auto& reduced = hlo.attrs<ReduceAttrs>().dimensions;
      const Shape& shape = hlo.operand(0)->shape();
      return KeepsSequence(order, [&](int64_t d) {
        return absl::c_linear_search(reduced, d) && shape.dimensions(d) != 1;
      });
    }
    case HloOpcode::kReduceWindow:
      return OneOpOf(*hlo.to_apply()).has_value() ||
             KeepsWindowSequence(hlo.attrs<ReduceWindowAttrs>().window, order);
    case HloOpcode::kSelectAndScatter:
      return KeepsWindowSequence(hlo.attrs<SelectAndScatterAttrs>().window,
                                 order);
    default:
      return true;
  }
}

// An op whose array operands all have the order of the result.
OrderedOp InOneOrder(const HloInstruction& hlo, const DimensionOrder& order) {
  OrderedOp op{order, {}};
  for (const HloInstruction* x : hlo.operands()) {
    const Shape* shape = OrderedShape(*x);
    const bool scalar = shape != nullptr && shape->rank() == 0;
    op.operands.push_back(scalar ? DimensionOrder() : order);
  }
  return op;
}

// Returns an order of `rank` dimensions in which those of `some`, ascending,
// follow each other as `order` says, and each other one follows the one before
// it.
DimensionOrder Extended(const DimensionOrder& order,
                        absl::Span<const int64_t> some, int64_t rank) {
  DimensionOrder extended;
  for (int64_t i : order) extended.push_back(some[i]);
  for (int64_t d = 0; d < rank; ++d) {
    if (absl::c_linear_search(some, d)) continue;
    const int64_t at = d == 0 ? 0 : PositionOf(extended, d - 1) + 1;
    extended.insert(extended.begin() + at, d);
  }
  return extended;
}

// Returns the order in which `order` has the dimensions of `some`, ascending,
// as numbers of these.
DimensionOrder Restricted(const DimensionOrder& order,
                          absl::Span<const int64_t> some) {
  DimensionOrder restricted;
  for (int64_t d : order) {
    const auto it = absl::c_find(some, d);
    if (it != some.end()) restricted.push_back(it - some.begin());
  }
  return restricted;
}

const std::vector<int64_t>& BroadcastDims(const HloInstruction& hlo) {
  return hlo.attrs<BroadcastAttrs>().dimensions;
}

std::optional<OrderedOp> BroadcastTo(const HloInstruction& hlo,
                                     const DimensionOrder& order) {
  // The operand has its dimensions in the order of the result's.
  const std::vector<int64_t>& dims = BroadcastDims(hlo);
  DimensionOrder operand = GivenOrder(dims.size());
  absl::c_sort(operand, [&](int64_t a, int64_t b) {
    return PositionOf(order, dims[a]) < PositionOf(order, dims[b]);
  });
  return OrderedOp{order, {std::move(operand)}};
}

std::vector<int64_t> KeptDims(const HloInstruction& reduce) {
  std::vector<int64_t> kept;
  for (int64_t d = 0; d < reduce.operand(0)->shape().rank(); ++d) {
    if (!absl::c_linear_search(reduce.attrs<ReduceAttrs>().dimensions, d)) {
      kept.push_back(d);
    }
  }
  return kept;
}

std::optional<OrderedOp> ReduceFrom(const HloInstruction& hlo,
                                    const DimensionOrder& order) {
  if (!KeepsReduction(hlo, order)) return std::nullopt;
  OrderedOp op{Restricted(order, KeptDims(hlo)), {}};
  op.operands.resize(hlo.operand_count());
  for (int64_t i = 0; i < hlo.operand_count() / 2; ++i) op.operands[i] = order;
  return op;
}

// One side of a group of dimensions that a reshape splits or merges.
struct DimRange {
  int64_t begin, end;
  bool contains(int64_t d) const { return begin <= d && d < end; }
};

// Returns the groups in the order in which `order` has them, those of only
// dimensions of size 1 last; nullopt if one is not in one piece or its
// dimensions not in sequence.
std::optional<std::vector<size_t>> GroupOrder(absl::Span<const int64_t> sizes,
                                              absl::Span<const DimRange> groups,
                                              const DimensionOrder& order) {
  std::vector<size_t> result;
  std::vector<bool> seen(groups.size(), false);
  int64_t last = -1;
  for (int64_t d : order) {
    if (sizes[d] == 1) continue;
    const size_t g =
        absl::c_find_if(
            groups, [&](const DimRange& group) { return group.contains(d); }) -
        groups.begin();
    if (g == groups.size()) return std::nullopt;
    if (result.empty() || result.back() != g) {
      if (seen[g]) return std::nullopt;
      seen[g] = true;
      result.push_back(g);
    } else if (d < last) {
      return std::nullopt;
    }
    last = d;
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    if (!seen[g]) result.push_back(g);
  }
  return result;
}

// Returns the order of the array `to` that has the elements of `from`, in
// `order`, in sequence.
std::optional<DimensionOrder> ReshapeOrder(const Shape& from, const Shape& to,
                                           const DimensionOrder& order) {
  std::vector<DimRange> from_groups, to_groups;
  for (const ReshapeGroup& group :
       ReshapeGroups(from.dimensions(), to.dimensions())) {
    from_groups.push_back({static_cast<int64_t>(group.from),
                           static_cast<int64_t>(group.from_end)});
    to_groups.push_back(
        {static_cast<int64_t>(group.to), static_cast<int64_t>(group.to_end)});
  }
  const auto groups = GroupOrder(from.dimensions(), from_groups, order);
  if (!groups.has_value()) return std::nullopt;
  DimensionOrder result;
  for (size_t g : *groups) {
    for (int64_t d = to_groups[g].begin; d < to_groups[g].end; ++d) {
      result.push_back(d);
    }
  }
  return result;
}

}  // namespace

DimensionOrder MemoryOrder(const Shape& shape, const DimensionOrder& order) {
  DimensionOrder memory;
  for (int64_t d : order) {
    if (shape.dimensions(d) != 1) memory.push_back(d);
  }
  return memory;
}

DimensionOrder GivenOrder(int64_t rank) {
  DimensionOrder order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

const Shape* OrderedShape(const HloInstruction& hlo) {
  if (hlo.shape().IsArray()) return &hlo.shape();
  if (!hlo.shape().IsTuple() || hlo.shape().tuple_shapes().empty()) {
    return nullptr;
  }
  const Shape& first = hlo.shape().tuple_shapes(0);
  for (const Shape& element : hlo.shape().tuple_shapes()) {
    if (!element.IsArray() || !ShapeUtil::SameDimensions(first, element)) {
      return nullptr;
    }
  }
  return &first;
}

std::optional<OrderedOp> OrderedByResult(const HloInstruction& hlo,
                                         const DimensionOrder& order) {
  switch (hlo.opcode()) {
    case HloOpcode::kIota:
      return OrderedOp{order, {}};
    case HloOpcode::kBroadcast:
      return BroadcastTo(hlo, order);
    case HloOpcode::kReduce:
      return ReduceFrom(
          hlo, Extended(order, KeptDims(hlo), hlo.operand(0)->shape().rank()));
    case HloOpcode::kReshape: {
      auto operand = ReshapeOrder(hlo.shape(), hlo.operand(0)->shape(), order);
      if (!operand.has_value()) return std::nullopt;
      return OrderedOp{order, {*std::move(operand)}};
    }
    default:
      if (!KeepsDimensions(hlo) || !KeepsReduction(hlo, order)) {
        return std::nullopt;
      }
      return InOneOrder(hlo, order);
  }
}

std::optional<OrderedOp> OrderedByOperand(const HloInstruction& hlo, int64_t i,
                                          const DimensionOrder& order) {
  switch (hlo.opcode()) {
    case HloOpcode::kBroadcast: {
      const std::vector<int64_t>& dims = BroadcastDims(hlo);
      if (!absl::c_is_sorted(dims)) return std::nullopt;
      return BroadcastTo(hlo, Extended(order, dims, hlo.shape().rank()));
    }
    case HloOpcode::kReduce:
      if (i >= hlo.operand_count() / 2) return std::nullopt;
      return ReduceFrom(hlo, order);
    case HloOpcode::kReshape: {
      auto result = ReshapeOrder(hlo.operand(0)->shape(), hlo.shape(), order);
      if (!result.has_value()) return std::nullopt;
      return OrderedOp{*std::move(result), {order}};
    }
    default:
      return OrderedByResult(hlo, order);
  }
}

namespace {

Shape Ordered(const Shape& shape, const DimensionOrder& order) {
  if (!shape.IsTuple()) {
    return ShapeUtil::MakeShape(shape.element_type(),
                                Permute(shape.dimensions(), order));
  }
  std::vector<Shape> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(Ordered(element, order));
  }
  return ShapeUtil::MakeTupleShape(elements);
}

Window Ordered(const Window& window, const DimensionOrder& order) {
  Window ordered;
  for (int64_t d : order) {
    *ordered.add_dimensions() = window.dimensions(static_cast<int>(d));
  }
  return ordered;
}

PaddingConfig Ordered(const PaddingConfig& padding,
                      const DimensionOrder& order) {
  PaddingConfig ordered;
  for (int64_t d : order) {
    *ordered.add_dimensions() = padding.dimensions(static_cast<int>(d));
  }
  return ordered;
}

void Renumber(std::vector<int64_t>& dimensions, const DimensionOrder& order) {
  for (int64_t& d : dimensions) d = PositionOf(order, d);
}

// Says the attributes of `copy`, those of an op as the program has it, in the
// numbers of `op`.
void OrderAttrs(HloInstruction* copy, const OrderedOp& op) {
  const DimensionOrder& order = op.result;
  switch (copy->opcode()) {
    case HloOpcode::kIota: {
      int64_t& dimension = copy->mutable_attrs<IotaAttrs>().iota_dimension;
      dimension = PositionOf(order, dimension);
      return;
    }
    case HloOpcode::kBroadcast: {
      auto& dims = copy->mutable_attrs<BroadcastAttrs>().dimensions;
      Renumber(dims, order);
      dims = Permute(dims, op.operands[0]);
      return;
    }
    case HloOpcode::kReduce: {
      auto& dims = copy->mutable_attrs<ReduceAttrs>().dimensions;
      Renumber(dims, op.operands[0]);
      absl::c_sort(dims);
      return;
    }
    case HloOpcode::kReverse: {
      auto& dims = copy->mutable_attrs<ReverseAttrs>().dimensions;
      Renumber(dims, order);
      absl::c_sort(dims);
      return;
    }
    case HloOpcode::kConcatenate:
      Renumber(copy->mutable_attrs<ConcatenateAttrs>().dimensions, order);
      return;
    case HloOpcode::kSlice: {
      auto& slice = copy->mutable_attrs<SliceAttrs>().slice;
      slice = Permute(slice, order);
      return;
    }
    case HloOpcode::kDynamicSlice: {
      auto& sizes =
          copy->mutable_attrs<DynamicSliceAttrs>().dynamic_slice_sizes;
      sizes = Permute(sizes, order);
      return;
    }
    case HloOpcode::kPad: {
      auto& padding = copy->mutable_attrs<PadAttrs>().padding;
      padding = Ordered(padding, order);
      return;
    }
    case HloOpcode::kReduceWindow: {
      auto& window = copy->mutable_attrs<ReduceWindowAttrs>().window;
      window = Ordered(window, order);
      return;
    }
    case HloOpcode::kSelectAndScatter: {
      auto& window = copy->mutable_attrs<SelectAndScatterAttrs>().window;
      window = Ordered(window, order);
      return;
    }
    case HloOpcode::kReshape:
      copy->mutable_attrs<ReshapeAttrs>().inferred_dimension = std::nullopt;
      return;
    default:
      return;
  }
}

}  // namespace

HloInstruction* AddOrdered(HloInstruction* hlo, const OrderedOp& op,
                           absl::Span<HloInstruction* const> operands) {
  std::vector<HloInstruction*> inputs(operands.begin(), operands.end());
  const int64_t rank = static_cast<int64_t>(op.result.size());
  if (hlo->opcode() == HloOpcode::kDynamicSlice ||
      hlo->opcode() == HloOpcode::kDynamicUpdateSlice) {
    const size_t first = inputs.size() - rank;
    for (int64_t d = 0; d < rank; ++d) {
      inputs[first + d] = operands[first + op.result[d]];
    }
  }
  HloInstruction* copy = hlo->parent()->AddInstruction(
      hlo->CloneWithNewOperands(Ordered(hlo->shape(), op.result), inputs));
  OrderAttrs(copy, op);
  return copy;
}

}  // namespace xla
