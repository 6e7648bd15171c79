// Rules of reduce of one array. Floats are added and multiplied in their
// original order: row-major over the reduced dimensions.
#include <algorithm>
#include <optional>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

const std::vector<int64_t>& DimensionsOf(const HloInstruction* hlo) {
  return hlo->attrs<ReduceAttrs>().dimensions;
}

HloInstruction* MakeReduce(HloInstruction* hlo, RuleContext& context,
                           HloInstruction* x, std::vector<int64_t> dims) {
  ReduceAttrs attrs;
  attrs.dimensions = std::move(dims);
  return context.Make(HloOpcode::kReduce, hlo->shape(), {x, Rhs(hlo)}, attrs,
                      {hlo->to_apply()});
}

// reduce(x, init) => broadcast(init), for no elements
Result ReduceNothing(HloInstruction* hlo, RuleContext& context) {
  if (hlo->operand_count() != 2 ||
      !ShapeUtil::IsZeroElementArray(Lhs(hlo)->shape())) {
    return nullptr;
  }
  return context.Splat(hlo->shape(), Rhs(hlo));
}

// reduce(x, init), with f => f(init, reshape(x)), over dimensions of size 1
Result ReduceOnes(HloInstruction* hlo, RuleContext& context) {
  if (!HasOneType(hlo)) return nullptr;
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  if (!f.has_value() || ShapeUtil::ElementsIn(hlo->shape()) !=
                            ShapeUtil::ElementsIn(Lhs(hlo)->shape())) {
    return nullptr;
  }
  HloInstruction* x = context.Reshape(hlo->shape(), Lhs(hlo));
  return context.Make(*f, hlo->shape(),
                      {context.Splat(hlo->shape(), Rhs(hlo)), x},
                      hlo->to_apply()->root_instruction()->raw_attrs());
}

// reduce(x, init), over a dimension of size 1 among others => reduce(
// reshape(x), init), without it
Result DropUnitReducedDimensions(HloInstruction* hlo, RuleContext& context) {
  if (hlo->operand_count() != 2 || !hlo->shape().IsArray()) return nullptr;
  const Shape& shape = Lhs(hlo)->shape();
  std::vector<int64_t> sizes, dims;
  bool dropped = false;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const bool reduced = Contains(DimensionsOf(hlo), d);
    if (reduced && shape.dimensions(d) == 1) {
      dropped = true;
      continue;
    }
    if (reduced) dims.push_back(sizes.size());
    sizes.push_back(shape.dimensions(d));
  }
  if (!dropped || dims.empty()) return nullptr;
  HloInstruction* x = context.Reshape(
      ShapeUtil::MakeShape(shape.element_type(), sizes), Lhs(hlo));
  return MakeReduce(hlo, context, x, std::move(dims));
}

// reduce(reshape(x), init) => reduce(x, init), where the reshape joins or
// splits reduced dimensions only
Result ReduceOfReshape(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kReshape);
  if (x == nullptr || hlo->operand_count() != 2) return nullptr;
  const auto from = x->shape().dimensions();
  const auto to = Lhs(hlo)->shape().dimensions();
  std::vector<int64_t> dims;
  for (const ReshapeGroup& group : ReshapeGroups(from, to)) {
    bool reduced = false, kept = false;
    for (size_t d = group.to; d < group.to_end; ++d) {
      if (Contains(DimensionsOf(hlo), d)) {
        reduced = true;
      } else {
        kept = true;
      }
    }
    const bool same =
        group.from_end - group.from == 1 && group.to_end - group.to == 1;
    // Kept dimensions do not change, so that the result keeps its shape.
    if (kept && (reduced || !same)) return nullptr;
    if (!reduced) continue;
    for (size_t d = group.from; d < group.from_end; ++d) {
      // DropUnitReducedDimensions would drop it again.
      if (from[d] == 1) return nullptr;
      dims.push_back(d);
    }
  }
  return MakeReduce(hlo, context, x, std::move(dims));
}

// reduce(transpose(x), init) => reduce(x, init), where kept dimensions keep
// their order, and so do reduced ones unless the order of reduction does not
// matter
Result ReduceOfTranspose(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kTranspose);
  if (x == nullptr || !HasOneType(hlo)) return nullptr;
  const auto& permutation = Lhs(hlo)->attrs<TransposeAttrs>().dimensions;
  std::vector<int64_t> kept, reduced;
  for (size_t d = 0; d < permutation.size(); ++d) {
    (Contains(DimensionsOf(hlo), d) ? reduced : kept).push_back(permutation[d]);
  }
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  const bool any_order = f.has_value() && IsExactlyAssociative(*f, TypeOf(hlo));
  if (!std::is_sorted(kept.begin(), kept.end()) ||
      (!any_order && !std::is_sorted(reduced.begin(), reduced.end()))) {
    return nullptr;
  }
  std::sort(reduced.begin(), reduced.end());
  return MakeReduce(hlo, context, x, std::move(reduced));
}

// reduce(broadcast(x), init) => reduce(broadcast(x), init) without dimensions
// that only repeat, for max, min, and, or
Result ReduceOfBroadcast(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (x == nullptr || !HasOneType(hlo)) return nullptr;
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  if (!f.has_value() || !IsIdempotent(*f)) return nullptr;
  const auto& old = Lhs(hlo)->attrs<BroadcastAttrs>().dimensions;
  const Shape& shape = Lhs(hlo)->shape();
  std::vector<int64_t> sizes, dims, position(shape.rank(), -1);
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const bool reduced = Contains(DimensionsOf(hlo), d);
    if (reduced && !Contains(old, d)) continue;
    position[d] = sizes.size();
    if (reduced) dims.push_back(position[d]);
    sizes.push_back(shape.dimensions(d));
  }
  if (static_cast<int64_t>(sizes.size()) == shape.rank()) return nullptr;
  BroadcastAttrs attrs;
  for (int64_t d : old) attrs.dimensions.push_back(position[d]);
  HloInstruction* smaller =
      context.Make(HloOpcode::kBroadcast,
                   ShapeUtil::MakeShape(TypeOf(x), sizes), {x}, attrs);
  return MakeReduce(hlo, context, smaller, std::move(dims));
}

// reduce(broadcast(s), init) => broadcast(s * n + init), for sums of integers
Result SumOfSplat(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* s = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (s == nullptr || !ShapeUtil::IsScalar(s->shape()) || !HasOneType(hlo) ||
      !IsInteger(hlo) || !IsBinaryReducer(hlo->to_apply(), HloOpcode::kAdd)) {
    return nullptr;
  }
  uint64_t count = 1;
  for (int64_t d : DimensionsOf(hlo)) count *= Lhs(hlo)->shape().dimensions(d);
  HloInstruction* product =
      context.Make(HloOpcode::kMultiply, s->shape(),
                   {s, context.Integer(TypeOf(hlo), count)});
  HloInstruction* sum =
      context.Make(HloOpcode::kAdd, s->shape(), {product, Rhs(hlo)});
  return context.Splat(hlo->shape(), sum);
}

// reduce(reduce(x, e), init) => reduce(x, init), for exactly associative f with
// identity e
Result ReduceTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  HloInstruction* x = Arg(inner, HloOpcode::kReduce);
  if (x == nullptr || !HasOneType(hlo) || !HasOneType(inner) ||
      !OneUse(inner)) {
    return nullptr;
  }
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  if (!f.has_value() || !IsBinaryReducer(inner->to_apply(), *f) ||
      !IsExactlyAssociative(*f, TypeOf(hlo)) || !IsIdentity(*f, Rhs(inner))) {
    return nullptr;
  }
  std::vector<int64_t> dims;
  int64_t between = 0;  // a dimension of the inner result
  for (int64_t d = 0; d < x->shape().rank(); ++d) {
    const bool reduced = Contains(DimensionsOf(inner), d);
    if (reduced || Contains(DimensionsOf(hlo), between)) dims.push_back(d);
    if (!reduced) ++between;
  }
  return MakeReduce(hlo, context, x, std::move(dims));
}

constexpr Rule kReduce[] = {
    ReduceNothing,   ReduceOnes,        DropUnitReducedDimensions,
    ReduceOfReshape, ReduceOfTranspose, ReduceOfBroadcast,
    SumOfSplat,      ReduceTwice,
};

}  // namespace

Rules ReduceRules() { return kReduce; }

}  // namespace xla::algebra
