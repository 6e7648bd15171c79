// Rules of compare. For floats, only rules that hold for nan and both zeros.
#include <optional>

#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

using Direction = ComparisonDirection;

Direction DirectionOf(const HloInstruction* hlo) {
  return hlo->attrs<CompareAttrs>().direction;
}
bool IsEquality(const HloInstruction* hlo) {
  return DirectionOf(hlo) == Direction::kEq ||
         DirectionOf(hlo) == Direction::kNe;
}
bool IsTotalOrder(const HloInstruction* hlo) {
  return hlo->attrs<CompareAttrs>().type == Comparison::Type::kFloatTotalOrder;
}

Direction Converse(Direction direction) {
  switch (direction) {
    case Direction::kLt:
      return Direction::kGt;
    case Direction::kGt:
      return Direction::kLt;
    case Direction::kLe:
      return Direction::kGe;
    case Direction::kGe:
      return Direction::kLe;
    case Direction::kEq:
    case Direction::kNe:
      return direction;
  }
  return direction;
}

HloInstruction* MakeCompare(HloInstruction* hlo, RuleContext& context,
                            HloInstruction* lhs, HloInstruction* rhs,
                            Direction direction) {
  CompareAttrs attrs = hlo->attrs<CompareAttrs>();
  attrs.direction = direction;
  return context.Make(HloOpcode::kCompare, hlo->shape(), {lhs, rhs}, attrs);
}

HloInstruction* MakePred(HloInstruction* hlo, RuleContext& context,
                         bool value) {
  return context.Integers(hlo->shape(), value);
}

// c < x => x > c
Result CompareToConstant(HloInstruction* hlo, RuleContext& context) {
  if (!IsConstantLike(Lhs(hlo)) || IsConstantLike(Rhs(hlo))) return nullptr;
  return MakeCompare(hlo, context, Rhs(hlo), Lhs(hlo),
                     Converse(DirectionOf(hlo)));
}

// x == x => true, x < x => false and so on; for floats only x < x and x > x
Result CompareSelf(HloInstruction* hlo, RuleContext& context) {
  if (Lhs(hlo) != Rhs(hlo)) return nullptr;
  const Direction direction = DirectionOf(hlo);
  // Comparing complex numbers is an error, not false: they have no order.
  const bool strict =
      (direction == Direction::kLt || direction == Direction::kGt) &&
      !primitive_util::IsComplexType(Lhs(hlo)->shape().element_type());
  if (!IsIntegerOrPred(Lhs(hlo)) && !IsTotalOrder(hlo) && !strict) {
    return nullptr;
  }
  return MakePred(hlo, context, !strict && direction != Direction::kNe);
}

// x < lowest => false, x >= lowest => true; x > lowest => x != lowest,
// x <= lowest => x == lowest, for integers (0 for unsigned ones)
Result CompareToLowest(HloInstruction* hlo, RuleContext& context) {
  if (!IsIntegerOrPred(Lhs(hlo)) || !IsLowest(Rhs(hlo))) return nullptr;
  switch (DirectionOf(hlo)) {
    case Direction::kLt:
      return MakePred(hlo, context, false);
    case Direction::kGe:
      return MakePred(hlo, context, true);
    case Direction::kGt:
      return MakeCompare(hlo, context, Lhs(hlo), Rhs(hlo), Direction::kNe);
    case Direction::kLe:
      return MakeCompare(hlo, context, Lhs(hlo), Rhs(hlo), Direction::kEq);
    case Direction::kEq:
    case Direction::kNe:
      return nullptr;
  }
  return nullptr;
}

// x > highest => false, x <= highest => true; x < highest => x != highest,
// x >= highest => x == highest, for integers
Result CompareToHighest(HloInstruction* hlo, RuleContext& context) {
  if (!IsIntegerOrPred(Lhs(hlo)) || !IsHighest(Rhs(hlo))) return nullptr;
  switch (DirectionOf(hlo)) {
    case Direction::kGt:
      return MakePred(hlo, context, false);
    case Direction::kLe:
      return MakePred(hlo, context, true);
    case Direction::kLt:
      return MakeCompare(hlo, context, Lhs(hlo), Rhs(hlo), Direction::kNe);
    case Direction::kGe:
      return MakeCompare(hlo, context, Lhs(hlo), Rhs(hlo), Direction::kEq);
    case Direction::kEq:
    case Direction::kNe:
      return nullptr;
  }
  return nullptr;
}

// p == true => p, p == false => not p, and for !=
Result ComparePredToConstant(HloInstruction* hlo, RuleContext& context) {
  const auto c = SplatInt(Rhs(hlo));
  if (!IsPred(Lhs(hlo)) || !IsEquality(hlo) || !c.has_value()) return nullptr;
  if ((*c != 0) == (DirectionOf(hlo) == Direction::kEq)) return Lhs(hlo);
  return context.Make(HloOpcode::kNot, hlo->shape(), {Lhs(hlo)});
}

// p != q => p ^ q, for pred
Result ComparePreds(HloInstruction* hlo, RuleContext& context) {
  if (!IsPred(Lhs(hlo)) || DirectionOf(hlo) != Direction::kNe) return nullptr;
  return context.Make(HloOpcode::kXor, hlo->shape(), hlo->operands());
}

// convert(p) != 0 => p, convert(p) == 0 => not p, for pred p; with 1 likewise
Result CompareConvertedPred(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* p = Arg(Lhs(hlo), HloOpcode::kConvert);
  if (p == nullptr || !IsPred(p) || !IsEquality(hlo) || IsTotalOrder(hlo)) {
    return nullptr;
  }
  const bool zero = IsInt(Rhs(hlo), 0) || IsReal(Rhs(hlo), 0.0);
  // One-bit signed types cannot represent 1.
  const bool one = TypeOf(Lhs(hlo)) != S1 && IsOne(Rhs(hlo));
  if (!zero && !one) return nullptr;
  if (one == (DirectionOf(hlo) == Direction::kEq)) return p;
  return context.Make(HloOpcode::kNot, hlo->shape(), {p});
}

// iota < c => true where c is at least the size of the iota dimension,
// iota >= 0 => true and so on, where the answer is the same for all elements
Result CompareIota(HloInstruction* hlo, RuleContext& context) {
  const HloInstruction* iota = Lhs(hlo);
  const auto c = SplatInt(Rhs(hlo));
  if (!Is(iota, HloOpcode::kIota) || !IsInteger(iota) || !c.has_value() ||
      primitive_util::BitWidth(TypeOf(iota)) < 32 ||
      (TypeOf(iota) == U64 && *c < 0)) {
    return nullptr;
  }
  const int64_t last =
      iota->shape().dimensions(iota->attrs<IotaAttrs>().iota_dimension) - 1;
  if (last > 0x7fffffff) return nullptr;
  const bool below = last < *c;  // for all elements
  const bool above = 0 > *c;
  switch (DirectionOf(hlo)) {
    case Direction::kLt:
    case Direction::kGe:
      if (!below && *c > 0) return nullptr;
      return MakePred(hlo, context,
                      below == (DirectionOf(hlo) == Direction::kLt));
    case Direction::kLe:
    case Direction::kGt:
      if (last > *c && !above) return nullptr;
      return MakePred(hlo, context,
                      above == (DirectionOf(hlo) == Direction::kGt));
    case Direction::kEq:
    case Direction::kNe:
      if (!below && !above) return nullptr;
      return MakePred(hlo, context, DirectionOf(hlo) == Direction::kNe);
  }
  return nullptr;
}

// x + c1 == c2 => x == c2 - c1, and for !=, for integers
Result CompareSum(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kAdd);
  const auto c2 = SplatInt(Rhs(hlo));
  if (x == nullptr || !IsEquality(hlo) || !IsInteger(x) || !c2) return nullptr;
  const auto c1 = SplatInt(Rhs(Lhs(hlo)));
  if (!c1.has_value()) return nullptr;
  const uint64_t c = static_cast<uint64_t>(*c2) - static_cast<uint64_t>(*c1);
  return MakeCompare(hlo, context, x, context.Integers(x->shape(), c),
                     DirectionOf(hlo));
}

// x - y == 0 => x == y, x ^ y == 0 => x == y, and for !=, for integers
Result CompareDifference(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* d = Lhs(hlo);
  if ((!Is(d, HloOpcode::kSubtract) && !Is(d, HloOpcode::kXor)) ||
      !IsEquality(hlo) || !IsInteger(d) || !IsInt(Rhs(hlo), 0)) {
    return nullptr;
  }
  return MakeCompare(hlo, context, Lhs(d), Rhs(d), DirectionOf(hlo));
}

// -x == -y => x == y, not x == not y => x == y, and for !=, for integers
Result CompareNegated(HloInstruction* hlo, RuleContext& context) {
  for (HloOpcode op : {HloOpcode::kNegate, HloOpcode::kNot}) {
    HloInstruction* x = Arg(Lhs(hlo), op);
    HloInstruction* y = Arg(Rhs(hlo), op);
    if (x == nullptr || y == nullptr || !IsIntegerOrPred(x) ||
        !IsEquality(hlo)) {
      continue;
    }
    return MakeCompare(hlo, context, x, y, DirectionOf(hlo));
  }
  return nullptr;
}

// -x == c => x == -c, and for !=, for integers
Result CompareNegatedToConstant(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  const auto c = SplatInt(Rhs(hlo));
  if (x == nullptr || !c.has_value() || !IsInteger(x) || !IsEquality(hlo)) {
    return nullptr;
  }
  HloInstruction* negated =
      context.Integers(x->shape(), uint64_t{0} - static_cast<uint64_t>(*c));
  return MakeCompare(hlo, context, x, negated, DirectionOf(hlo));
}

// -x < c => x > -c, for floats in their partial order
Result CompareNegatedFloat(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  if (x == nullptr || !IsIeeeFloat(x) || IsTotalOrder(hlo)) return nullptr;
  const Direction converse = Converse(DirectionOf(hlo));
  if (HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate)) {
    return MakeCompare(hlo, context, x, y, converse);
  }
  const auto c = SplatFloat(Rhs(hlo));
  if (!c.has_value()) return nullptr;
  return MakeCompare(hlo, context, x, context.Numbers(x->shape(), -*c),
                     converse);
}

// |x| < c => false, for floats and c <= 0
Result CompareAbs(HloInstruction* hlo, RuleContext& context) {
  const auto c = SplatFloat(Rhs(hlo));
  if (!Is(Lhs(hlo), HloOpcode::kAbs) || !c.has_value() || !(*c <= 0) ||
      IsTotalOrder(hlo) || DirectionOf(hlo) != Direction::kLt) {
    return nullptr;
  }
  return MakePred(hlo, context, false);
}

std::optional<bool> HoldsFor(Direction direction, const HloInstruction* a,
                             const HloInstruction* c) {
  const auto x = SplatInt(a), y = SplatInt(c);
  if (!x.has_value() || !y.has_value()) return std::nullopt;
  const uint64_t ux = *x, uy = *y;
  const bool less = IsUnsigned(a) ? ux < uy : *x < *y;
  switch (direction) {
    case Direction::kEq:
      return ux == uy;
    case Direction::kNe:
      return ux != uy;
    case Direction::kLt:
      return less;
    case Direction::kGe:
      return !less;
    case Direction::kLe:
      return less || ux == uy;
    case Direction::kGt:
      return !less && ux != uy;
  }
  return std::nullopt;
}

// select(p, c1, c2) == c => p, not p, true or false, for integer constants
Result CompareSelectOfConstants(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* p = Arg(Lhs(hlo), HloOpcode::kSelect);
  if (p == nullptr || p->shape() != hlo->shape()) return nullptr;
  const auto if_true =
      HoldsFor(DirectionOf(hlo), Lhs(hlo)->operand(1), Rhs(hlo));
  const auto if_false =
      HoldsFor(DirectionOf(hlo), Lhs(hlo)->operand(2), Rhs(hlo));
  if (!if_true.has_value() || !if_false.has_value()) return nullptr;
  if (*if_true == *if_false) return MakePred(hlo, context, *if_true);
  if (*if_true) return p;
  return context.Make(HloOpcode::kNot, hlo->shape(), {p});
}

constexpr Rule kCompare[] = {
    CompareToConstant,
    CompareSelf,
    CompareToLowest,
    CompareToHighest,
    ComparePredToConstant,
    ComparePreds,
    CompareConvertedPred,
    CompareIota,
    CompareSum,
    CompareDifference,
    CompareNegated,
    CompareNegatedToConstant,
    CompareNegatedFloat,
    CompareAbs,
    CompareSelectOfConstants,
};

}  // namespace

Rules CompareRules() { return kCompare; }

}  // namespace xla::algebra
