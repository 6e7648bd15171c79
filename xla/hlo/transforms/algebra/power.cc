// Rules of power. Products and roots of F32 and F64 round one by one and so may
// differ in the last places from a power that rounds once; for shorter floats
// the difference would be too large.
#include <limits>

#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

bool IsNumber(const HloInstruction* x, int value) {
  return IsInt(x, value) || (IsIeeeFloat(x) && IsReal(x, value));
}

bool IsSmallPower(const HloInstruction* x, int value) {
  return IsNumber(x, value) && TypeOf(x) != F16 && TypeOf(x) != BF16;
}

// pow(x, 0) => 1
Result PowerZero(HloInstruction* hlo, RuleContext& context) {
  if (!IsInt(Rhs(hlo), 0) && !IsReal(Rhs(hlo), 0.0) &&
      !IsReal(Rhs(hlo), -0.0)) {
    return nullptr;
  }
  return context.Numbers(hlo->shape(), 1);
}

// pow(x, 1) => x
Result PowerOne(HloInstruction* hlo, RuleContext&) {
  return IsOne(Rhs(hlo)) ? Lhs(hlo) : nullptr;
}

// pow(1, y) => 1
Result PowerOfOne(HloInstruction* hlo, RuleContext&) {
  return IsOne(Lhs(hlo)) ? Lhs(hlo) : nullptr;
}

// pow(x, 2) => x * x
Result PowerTwo(HloInstruction* hlo, RuleContext& context) {
  if (!IsNumber(Rhs(hlo), 2)) return nullptr;
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {Lhs(hlo), Lhs(hlo)});
}

// pow(x, 3) => x * x * x
Result PowerThree(HloInstruction* hlo, RuleContext& context) {
  if (!IsSmallPower(Rhs(hlo), 3)) return nullptr;
  HloInstruction* square =
      context.Make(HloOpcode::kMultiply, hlo->shape(), {Lhs(hlo), Lhs(hlo)});
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {square, Lhs(hlo)});
}

// pow(x, 4) => (x * x) * (x * x)
Result PowerFour(HloInstruction* hlo, RuleContext& context) {
  if (!IsSmallPower(Rhs(hlo), 4)) return nullptr;
  HloInstruction* square =
      context.Make(HloOpcode::kMultiply, hlo->shape(), {Lhs(hlo), Lhs(hlo)});
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {square, square});
}

// pow(x, -1) => 1 / x, for floats
Result PowerMinusOne(HloInstruction* hlo, RuleContext& context) {
  if (!IsIeeeFloat(hlo) || !IsReal(Rhs(hlo), -1)) return nullptr;
  return context.Make(HloOpcode::kDivide, hlo->shape(),
                      {context.Numbers(hlo->shape(), 1), Lhs(hlo)});
}

// pow(x, n/2) => sqrt(x), x * sqrt(x), 1 / sqrt(x) and 1 / sqrt(x) / x for n =
// 1, 3, -1 and -3. None of them over- or underflows where the power does not.
// Powers of -inf, whose root is NaN, and of -0 have no sign.
Result PowerHalves(HloInstruction* hlo, RuleContext& context) {
  if (TypeOf(hlo) != F32 && TypeOf(hlo) != F64) return nullptr;
  HloInstruction* y = Rhs(hlo);
  const bool is_inverse = IsReal(y, -0.5) || IsReal(y, -1.5);
  const bool has_product = IsReal(y, 1.5) || IsReal(y, -1.5);
  if (!is_inverse && !has_product && !IsReal(y, 0.5)) return nullptr;
  HloInstruction* x = Lhs(hlo);
  const Shape& shape = hlo->shape();
  HloInstruction* power = context.Make(HloOpcode::kSqrt, shape, {x});
  if (!has_product) power = context.Make(HloOpcode::kAbs, shape, {power});
  if (is_inverse) {
    power = context.Make(HloOpcode::kDivide, shape,
                         {context.Numbers(shape, 1), power});
  }
  if (has_product) {
    power = context.Make(is_inverse ? HloOpcode::kDivide : HloOpcode::kMultiply,
                         shape, {power, x});
  }
  constexpr double kInf = std::numeric_limits<double>::infinity();
  HloInstruction* is_infinite = context.Make(
      HloOpcode::kCompare, ShapeUtil::ChangeElementType(shape, PRED),
      {x, context.Numbers(shape, -kInf)},
      CompareAttrs{.direction = ComparisonDirection::kEq});
  return context.Make(
      HloOpcode::kSelect, shape,
      {is_infinite, context.Numbers(shape, is_inverse ? 0 : kInf), power});
}

// pow(2, y) => 1 << y, for integers; both are 0 for negative y
Result PowerOfTwo(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || !IsInt(Lhs(hlo), 2)) return nullptr;
  return context.Make(HloOpcode::kShiftLeft, hlo->shape(),
                      {context.Integers(hlo->shape(), 1), Rhs(hlo)});
}

constexpr Rule kPower[] = {
    PowerZero, PowerOne,      PowerOfOne,  PowerTwo,   PowerThree,
    PowerFour, PowerMinusOne, PowerHalves, PowerOfTwo,
};

}  // namespace

Rules PowerRules() { return kPower; }

}  // namespace xla::algebra
