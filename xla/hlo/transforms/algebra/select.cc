// Rules of select. The predicate may be a single scalar for whole arrays.
#include <algorithm>
#include <utility>

#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

HloInstruction* Pred(HloInstruction* hlo) { return hlo->mutable_operand(0); }
HloInstruction* OnTrue(HloInstruction* hlo) { return hlo->mutable_operand(1); }
HloInstruction* OnFalse(HloInstruction* hlo) { return hlo->mutable_operand(2); }

// Returns whether the select is of pred elements, each with its own predicate.
bool IsOfPreds(HloInstruction* hlo) {
  return IsPred(hlo) && Pred(hlo)->shape() == hlo->shape();
}

// select(p, x, x) => x
Result SelectSame(HloInstruction* hlo, RuleContext&) {
  return IsSame(OnTrue(hlo), OnFalse(hlo)) ? OnTrue(hlo) : nullptr;
}

// select(true, x, y) => x, select(false, x, y) => y
Result SelectConstant(HloInstruction* hlo, RuleContext&) {
  const auto p = SplatInt(Pred(hlo));
  if (!p.has_value()) return nullptr;
  return *p ? OnTrue(hlo) : OnFalse(hlo);
}

// select(not p, x, y) => select(p, y, x)
Result SelectNot(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* p = Arg(Pred(hlo), HloOpcode::kNot);
  if (p == nullptr) return nullptr;
  return context.Make(HloOpcode::kSelect, hlo->shape(),
                      {p, OnFalse(hlo), OnTrue(hlo)});
}

// select(p, true, false) => p
Result SelectTrueFalse(HloInstruction* hlo, RuleContext&) {
  if (!IsOfPreds(hlo) || !IsInt(OnTrue(hlo), 1) || !IsInt(OnFalse(hlo), 0)) {
    return nullptr;
  }
  return Pred(hlo);
}

// select(p, false, true) => not p
Result SelectFalseTrue(HloInstruction* hlo, RuleContext& context) {
  if (!IsOfPreds(hlo) || !IsInt(OnTrue(hlo), 0) || !IsInt(OnFalse(hlo), 1)) {
    return nullptr;
  }
  return context.Make(HloOpcode::kNot, hlo->shape(), {Pred(hlo)});
}

// select(p, true, y) => p or y
Result SelectTrue(HloInstruction* hlo, RuleContext& context) {
  if (!IsOfPreds(hlo) || !IsInt(OnTrue(hlo), 1)) return nullptr;
  return context.Make(HloOpcode::kOr, hlo->shape(), {Pred(hlo), OnFalse(hlo)});
}

// select(p, x, false) => p and x
Result SelectElseFalse(HloInstruction* hlo, RuleContext& context) {
  if (!IsOfPreds(hlo) || !IsInt(OnFalse(hlo), 0)) return nullptr;
  return context.Make(HloOpcode::kAnd, hlo->shape(), {Pred(hlo), OnTrue(hlo)});
}

// select(p, false, y) => not p and y
Result SelectFalse(HloInstruction* hlo, RuleContext& context) {
  if (!IsOfPreds(hlo) || !IsInt(OnTrue(hlo), 0)) return nullptr;
  HloInstruction* p = context.Make(HloOpcode::kNot, hlo->shape(), {Pred(hlo)});
  return context.Make(HloOpcode::kAnd, hlo->shape(), {p, OnFalse(hlo)});
}

// select(p, x, true) => not p or x
Result SelectElseTrue(HloInstruction* hlo, RuleContext& context) {
  if (!IsOfPreds(hlo) || !IsInt(OnFalse(hlo), 1)) return nullptr;
  HloInstruction* p = context.Make(HloOpcode::kNot, hlo->shape(), {Pred(hlo)});
  return context.Make(HloOpcode::kOr, hlo->shape(), {p, OnTrue(hlo)});
}

// select(p, select(p, x, y), z) => select(p, x, z)
Result SelectInTrueArm(HloInstruction* hlo, RuleContext& context) {
  if (Arg(OnTrue(hlo), HloOpcode::kSelect) != Pred(hlo)) return nullptr;
  return context.Make(HloOpcode::kSelect, hlo->shape(),
                      {Pred(hlo), OnTrue(OnTrue(hlo)), OnFalse(hlo)});
}

// select(p, x, select(p, y, z)) => select(p, x, z)
Result SelectInFalseArm(HloInstruction* hlo, RuleContext& context) {
  if (Arg(OnFalse(hlo), HloOpcode::kSelect) != Pred(hlo)) return nullptr;
  return context.Make(HloOpcode::kSelect, hlo->shape(),
                      {Pred(hlo), OnTrue(hlo), OnFalse(OnFalse(hlo))});
}

// select(p, select(q, x, y), y) => select(p and q, x, y)
Result SelectBoth(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = OnTrue(hlo);
  HloInstruction* q = Arg(inner, HloOpcode::kSelect);
  if (q == nullptr || q->shape() != Pred(hlo)->shape() || !OneUse(inner) ||
      !IsSame(OnFalse(inner), OnFalse(hlo))) {
    return nullptr;
  }
  HloInstruction* both =
      context.Make(HloOpcode::kAnd, q->shape(), {Pred(hlo), q});
  return context.Make(HloOpcode::kSelect, hlo->shape(),
                      {both, OnTrue(inner), OnFalse(hlo)});
}

// select(p, x, select(q, x, y)) => select(p or q, x, y)
Result SelectEither(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = OnFalse(hlo);
  HloInstruction* q = Arg(inner, HloOpcode::kSelect);
  if (q == nullptr || q->shape() != Pred(hlo)->shape() || !OneUse(inner) ||
      !IsSame(OnTrue(inner), OnTrue(hlo))) {
    return nullptr;
  }
  HloInstruction* either =
      context.Make(HloOpcode::kOr, q->shape(), {Pred(hlo), q});
  return context.Make(HloOpcode::kSelect, hlo->shape(),
                      {either, OnTrue(hlo), OnFalse(inner)});
}

// Returns whether `hlo` selects between the two values that its predicate
// compares; sets `swapped` if they are in the other order.
bool SelectsCompared(HloInstruction* hlo, bool& swapped) {
  HloInstruction* p = Pred(hlo);
  if (!Is(p, HloOpcode::kCompare) || !IsInteger(hlo)) return false;
  swapped = IsSame(Lhs(p), OnFalse(hlo)) && IsSame(Rhs(p), OnTrue(hlo));
  return swapped ||
         (IsSame(Lhs(p), OnTrue(hlo)) && IsSame(Rhs(p), OnFalse(hlo)));
}

// select(x == y, x, y) => y, select(x != y, x, y) => x, for integers
Result SelectEqual(HloInstruction* hlo, RuleContext&) {
  bool swapped = false;
  if (!SelectsCompared(hlo, swapped)) return nullptr;
  switch (Pred(hlo)->attrs<CompareAttrs>().direction) {
    case ComparisonDirection::kEq:
      return OnFalse(hlo);
    case ComparisonDirection::kNe:
      return OnTrue(hlo);
    default:
      return nullptr;
  }
}

// select(x > y, x, y) => max(x, y), select(x < y, x, y) => min(x, y), for
// integers
Result SelectGreater(HloInstruction* hlo, RuleContext& context) {
  bool swapped = false;
  if (!SelectsCompared(hlo, swapped)) return nullptr;
  bool greater = false;
  switch (Pred(hlo)->attrs<CompareAttrs>().direction) {
    case ComparisonDirection::kGt:
    case ComparisonDirection::kGe:
      greater = true;
      break;
    case ComparisonDirection::kLt:
    case ComparisonDirection::kLe:
      break;
    case ComparisonDirection::kEq:
    case ComparisonDirection::kNe:
      return nullptr;
  }
  return context.Make(
      greater != swapped ? HloOpcode::kMaximum : HloOpcode::kMinimum,
      hlo->shape(), {OnTrue(hlo), OnFalse(hlo)});
}

// Returns `p` as a predicate for each index vector of `scatter`, whose result
// it has the dimensions of; null if it is not the same for all elements that an
// index vector may update. `vectors` has the dimensions of the indices.
HloInstruction* PredOfIndices(HloInstruction* p, HloInstruction* scatter,
                              const Shape& vectors, RuleContext& context) {
  BroadcastAttrs attrs;
  if (!ShapeUtil::IsScalar(p->shape())) {
    if (!Is(p, HloOpcode::kBroadcast)) return nullptr;
    const ScatterDimensionNumbers& numbers =
        scatter->attrs<ScatterAttrs>().dimension_numbers;
    for (int64_t d : p->attrs<BroadcastAttrs>().dimensions) {
      const auto& batching = numbers.input_batching_dims();
      const auto at = std::find(batching.begin(), batching.end(), d);
      if (at == batching.end()) return nullptr;
      attrs.dimensions.push_back(
          numbers.scatter_indices_batching_dims(at - batching.begin()));
    }
    if (!std::is_sorted(attrs.dimensions.begin(), attrs.dimensions.end())) {
      return nullptr;
    }
    p = Lhs(p);
  }
  return context.Make(HloOpcode::kBroadcast,
                      ShapeUtil::ChangeElementType(vectors, PRED), {p}, attrs);
}

// select(p, scatter(x, i, u), x) => scatter(x, select(p, i, -1), u), where p is
// the same for all elements that an index vector may update. Updates outside of
// x are left out, and so x is not read and written as a whole.
Result SelectScatter(HloInstruction* hlo, RuleContext& context) {
  const bool on_true = Is(OnTrue(hlo), HloOpcode::kScatter);
  HloInstruction* scatter = on_true ? OnTrue(hlo) : OnFalse(hlo);
  HloInstruction* other = on_true ? OnFalse(hlo) : OnTrue(hlo);
  if (!Is(scatter, HloOpcode::kScatter) || !hlo->shape().IsArray() ||
      !OneUse(scatter) || Lhs(scatter) != other || !IsInteger(Rhs(scatter)) ||
      IsUnsigned(Rhs(scatter)) ||
      scatter->attrs<ScatterAttrs>()
          .dimension_numbers.scatter_dims_to_operand_dims()
          .empty()) {
    return nullptr;
  }
  HloInstruction* indices = Rhs(scatter);
  HloInstruction* p =
      PredOfIndices(Pred(hlo), scatter, indices->shape(), context);
  if (p == nullptr) return nullptr;
  HloInstruction* outside = context.Numbers(indices->shape(), -1);
  HloInstruction* kept = context.Make(
      HloOpcode::kSelect, indices->shape(),
      {p, on_true ? indices : outside, on_true ? outside : indices});
  HloInstruction::InstructionVector operands = scatter->operands();
  operands[1] = kept;
  ScatterAttrs attrs = scatter->attrs<ScatterAttrs>();
  attrs.indices_are_sorted = false;
  return context.Make(HloOpcode::kScatter, hlo->shape(), operands,
                      std::move(attrs), scatter->called_computations());
}

// select(p, dynamic-update-slice(x, u, i), x) =>
// dynamic-update-slice(x, select(p, u, dynamic-slice(x, i)), i), for a scalar p
Result SelectUpdate(HloInstruction* hlo, RuleContext& context) {
  const bool on_true = Is(OnTrue(hlo), HloOpcode::kDynamicUpdateSlice);
  HloInstruction* update = on_true ? OnTrue(hlo) : OnFalse(hlo);
  HloInstruction* x = on_true ? OnFalse(hlo) : OnTrue(hlo);
  HloInstruction* p = Pred(hlo);
  if (Is(p, HloOpcode::kBroadcast)) p = Lhs(p);
  if (!Is(update, HloOpcode::kDynamicUpdateSlice) || !OneUse(update) ||
      Lhs(update) != x || !ShapeUtil::IsScalar(p->shape())) {
    return nullptr;
  }
  const Shape& box = Rhs(update)->shape();
  HloInstruction::InstructionVector starts = {x};
  starts.insert(starts.end(), update->operands().begin() + 2,
                update->operands().end());
  DynamicSliceAttrs sizes;
  sizes.dynamic_slice_sizes = ToVector(box.dimensions());
  HloInstruction* old =
      context.Make(HloOpcode::kDynamicSlice, box, starts, std::move(sizes));
  HloInstruction* splat =
      context.Splat(ShapeUtil::ChangeElementType(box, PRED), p);
  HloInstruction::InstructionVector operands = update->operands();
  operands[1] = context.Make(
      HloOpcode::kSelect, box,
      {splat, on_true ? Rhs(update) : old, on_true ? old : Rhs(update)});
  return context.Make(HloOpcode::kDynamicUpdateSlice, hlo->shape(), operands);
}

constexpr Rule kSelect[] = {
    SelectSame,      SelectConstant,  SelectNot,        SelectTrueFalse,
    SelectFalseTrue, SelectTrue,      SelectElseFalse,  SelectFalse,
    SelectElseTrue,  SelectInTrueArm, SelectInFalseArm, SelectBoth,
    SelectEither,    SelectEqual,     SelectGreater,    SelectScatter,
    SelectUpdate,
};

}  // namespace

Rules SelectRules() { return kSelect; }

}  // namespace xla::algebra
