// Rules of multiply. For floats x * 0 is kept because of nan, infinities and
// the sign of zero.
#include "xla/core/primitive_util.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// x * y => x and y, for pred
Result PredMultiply(HloInstruction* hlo, RuleContext& context) {
  if (!IsPred(hlo)) return nullptr;
  return context.Make(HloOpcode::kAnd, hlo->shape(), hlo->operands());
}

// x * 1 => x
Result MultiplyByOne(HloInstruction* hlo, RuleContext&) {
  return IsOne(Rhs(hlo)) ? Lhs(hlo) : nullptr;
}

// x * 0 => 0, for integers
Result MultiplyByZero(HloInstruction* hlo, RuleContext&) {
  return IsInt(Rhs(hlo), 0) ? Rhs(hlo) : nullptr;
}

// x * -1 => -x
Result MultiplyByMinusOne(HloInstruction* hlo, RuleContext& context) {
  const bool minus_one = IsInteger(hlo) && IsAllOnes(Rhs(hlo));
  if (!minus_one && !IsReal(Rhs(hlo), -1)) return nullptr;
  return context.Make(HloOpcode::kNegate, hlo->shape(), {Lhs(hlo)});
}

// -x * -y => x * y, for real numbers
Result MultiplyNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate);
  if (x == nullptr || y == nullptr || !(IsInteger(hlo) || IsFloat(hlo))) {
    return nullptr;
  }
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {x, y});
}

// -x * c => x * -c
Result MultiplyNegatedByConstant(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  if (x == nullptr) return nullptr;
  HloInstruction* negated = nullptr;
  if (const auto c = SplatInt(Rhs(hlo))) {
    negated =
        context.Integers(hlo->shape(), uint64_t{0} - static_cast<uint64_t>(*c));
  } else if (const auto c = SplatFloat(Rhs(hlo)); c && IsIeeeFloat(hlo)) {
    negated = context.Numbers(hlo->shape(), -*c);
  } else {
    return nullptr;
  }
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {x, negated});
}

// |x| * |x| => x * x, for real numbers
Result SquareOfAbs(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kAbs);
  if (x == nullptr || Lhs(hlo) != Rhs(hlo) || !(IsInteger(x) || IsFloat(x))) {
    return nullptr;
  }
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {x, x});
}

// sign(x) * |x| => x, for real numbers
Result SignTimesAbs(HloInstruction* hlo, RuleContext&) {
  if (!IsInteger(hlo) && !IsIeeeFloat(hlo)) return nullptr;
  for (int i = 0; i < 2; ++i) {
    HloInstruction* x = Arg(hlo->mutable_operand(i), HloOpcode::kSign);
    if (x != nullptr &&
        x == Arg(hlo->mutable_operand(1 - i), HloOpcode::kAbs)) {
      return x;
    }
  }
  return nullptr;
}

// x * convert(p) => select(p, x, 0), for integers and pred p
Result MultiplyByPred(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo)) return nullptr;
  for (int i = 0; i < 2; ++i) {
    HloInstruction* p = Arg(hlo->mutable_operand(i), HloOpcode::kConvert);
    if (p == nullptr || !IsPred(p)) continue;
    return context.Make(
        HloOpcode::kSelect, hlo->shape(),
        {p, hlo->mutable_operand(1 - i), context.Integers(hlo->shape(), 0)});
  }
  return nullptr;
}

constexpr Rule kMultiply[] = {
    ConstantToTheRight, PredMultiply,
    MultiplyByOne,      MultiplyByZero,
    MultiplyByMinusOne, MultiplyNegated,
    SquareOfAbs,        MultiplyNegatedByConstant,
    SignTimesAbs,       MultiplyByPred,
    FoldConstants,
};

}  // namespace

Rules MultiplyRules() { return kMultiply; }

}  // namespace xla::algebra
