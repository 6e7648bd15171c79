// Rules of maximum, minimum and clamp. Both return nan where an operand is nan,
// so even the greatest float absorbs nothing; +0 is above -0.
#include <algorithm>

#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

bool IsMaximum(const HloInstruction* hlo) {
  return Is(hlo, HloOpcode::kMaximum);
}
HloOpcode Opposite(const HloInstruction* hlo) {
  return IsMaximum(hlo) ? HloOpcode::kMinimum : HloOpcode::kMaximum;
}

// max(x, y) => x or y, min(x, y) => x and y, for pred
Result PredExtremum(HloInstruction* hlo, RuleContext& context) {
  if (!IsPred(hlo)) return nullptr;
  return context.Make(IsMaximum(hlo) ? HloOpcode::kOr : HloOpcode::kAnd,
                      hlo->shape(), hlo->operands());
}

// max(x, x) => x, min(x, x) => x
Result ExtremumOfSame(HloInstruction* hlo, RuleContext&) {
  return Lhs(hlo) == Rhs(hlo) ? Lhs(hlo) : nullptr;
}

// max(x, lowest) => x, min(x, highest) => x
Result ExtremumOfIdentity(HloInstruction* hlo, RuleContext&) {
  return IsIdentity(hlo->opcode(), Rhs(hlo)) ? Lhs(hlo) : nullptr;
}

// max(x, highest) => highest, min(x, lowest) => lowest, for integers
Result ExtremumAbsorbed(HloInstruction* hlo, RuleContext&) {
  if (!IsInteger(hlo)) return nullptr;
  const bool absorbed =
      IsMaximum(hlo) ? IsHighest(Rhs(hlo)) : IsLowest(Rhs(hlo));
  return absorbed ? Rhs(hlo) : nullptr;
}

// max(min(x, y), y) => y, min(max(x, y), y) => y, for integers
Result ExtremumOfOpposite(HloInstruction* hlo, RuleContext&) {
  return IsInteger(hlo) ? AbsorbedByDual(hlo, Opposite(hlo)) : nullptr;
}

// max(|x|, c) => |x|, for floats and c <= 0
Result MaximumOfAbs(HloInstruction* hlo, RuleContext&) {
  const auto c = SplatFloat(Rhs(hlo));
  if (!Is(Lhs(hlo), HloOpcode::kAbs) || !IsIeeeFloat(hlo) || !c || !(*c <= 0)) {
    return nullptr;
  }
  return Lhs(hlo);
}

// max(x, -x) => |x|, for signed numbers
Result MaximumOfNegated(HloInstruction* hlo, RuleContext& context) {
  if (IsUnsigned(hlo) || !(IsInteger(hlo) || IsIeeeFloat(hlo))) return nullptr;
  for (int i = 0; i < 2; ++i) {
    HloInstruction* x = hlo->mutable_operand(i);
    if (Arg(hlo->mutable_operand(1 - i), HloOpcode::kNegate) != x) continue;
    return context.Make(HloOpcode::kAbs, hlo->shape(), {x});
  }
  return nullptr;
}

// max(-x, -y) => -min(x, y), and for min, for floats
Result ExtremumOfNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate);
  if (!IsIeeeFloat(hlo) || x == nullptr || y == nullptr || !OneUse(Lhs(hlo)) ||
      !OneUse(Rhs(hlo))) {
    return nullptr;
  }
  HloInstruction* inner = context.Make(Opposite(hlo), hlo->shape(), {x, y});
  return context.Make(HloOpcode::kNegate, hlo->shape(), {inner});
}

// clamp(lowest, x, high) => min(x, high)
Result ClampFromLowest(HloInstruction* hlo, RuleContext& context) {
  if (!IsLowest(hlo->operand(0))) return nullptr;
  HloInstruction* high = context.Splat(hlo->shape(), hlo->mutable_operand(2));
  return context.Make(HloOpcode::kMinimum, hlo->shape(),
                      {hlo->mutable_operand(1), high});
}

// clamp(low, x, highest) => max(x, low)
Result ClampToHighest(HloInstruction* hlo, RuleContext& context) {
  if (!IsHighest(hlo->operand(2))) return nullptr;
  HloInstruction* low = context.Splat(hlo->shape(), hlo->mutable_operand(0));
  return context.Make(HloOpcode::kMaximum, hlo->shape(),
                      {hlo->mutable_operand(1), low});
}

// clamp(low, clamp(low, x, high), high) => clamp(low, x, high)
Result ClampTwice(HloInstruction* hlo, RuleContext&) {
  HloInstruction* inner = hlo->mutable_operand(1);
  if (!Is(inner, HloOpcode::kClamp) ||
      !IsSame(inner->operand(0), hlo->operand(0)) ||
      !IsSame(inner->operand(2), hlo->operand(2))) {
    return nullptr;
  }
  return inner;
}

// clamp(c, x, c) => c, for integers
Result ClampToOne(HloInstruction* hlo, RuleContext& context) {
  if (!IsIntegerOrPred(hlo) || !IsSame(hlo->operand(0), hlo->operand(2))) {
    return nullptr;
  }
  return context.Splat(hlo->shape(), hlo->mutable_operand(0));
}

constexpr Rule kMaximum[] = {
    ConstantToTheRight, PredExtremum,     ExtremumOfSame,
    ExtremumOfIdentity, ExtremumAbsorbed, IdempotentTwice,
    ExtremumOfOpposite, MaximumOfAbs,     MaximumOfNegated,
    ExtremumOfNegated,  FoldConstants,
};
constexpr Rule kMinimum[] = {
    ConstantToTheRight, PredExtremum,      ExtremumOfSame,
    ExtremumOfIdentity, ExtremumAbsorbed,  IdempotentTwice,
    ExtremumOfOpposite, ExtremumOfNegated, FoldConstants,
};
constexpr Rule kClamp[] = {
    ClampFromLowest,
    ClampToHighest,
    ClampTwice,
    ClampToOne,
};

}  // namespace

Rules MaximumRules() { return kMaximum; }
Rules MinimumRules() { return kMinimum; }
Rules ClampRules() { return kClamp; }

}  // namespace xla::algebra
