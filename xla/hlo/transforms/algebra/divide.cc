// Rules of divide and remainder.
#include <cmath>
#include <limits>

#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// Returns k for a splat of 2^k of unsigned integers, else -1.
int PowerOfTwo(const HloInstruction* x) {
  const auto value = SplatInt(x);
  if (!value.has_value() || !IsUnsigned(x)) return -1;
  const uint64_t bits = static_cast<uint64_t>(*value);
  if (bits == 0 || (bits & (bits - 1)) != 0) return -1;
  int k = 0;
  while (bits >> k != 1) ++k;
  return k;
}

// Returns whether every element of `x` is known to be at least 0 and less than
// the splat `bound`: x is a shorter iota.
bool CountsBelow(const HloInstruction* x, const HloInstruction* bound) {
  if (!Is(x, HloOpcode::kIota) || !IsInteger(x)) return false;
  const auto value = SplatInt(bound);
  const int64_t size =
      x->shape().dimensions(x->attrs<IotaAttrs>().iota_dimension);
  // A longer iota of a narrow type wraps around.
  const int width = primitive_util::BitWidth(TypeOf(x));
  if (width < 32 && size > (int64_t{1} << (width - 1))) return false;
  return value.has_value() && *value > 0 && size <= *value;
}

// x / 1 => x
Result DivideByOne(HloInstruction* hlo, RuleContext&) {
  return IsOne(Rhs(hlo)) ? Lhs(hlo) : nullptr;
}

// x / -1 => -x, for signed numbers
Result DivideByMinusOne(HloInstruction* hlo, RuleContext& context) {
  if (!IsInt(Rhs(hlo), -1) && !IsReal(Rhs(hlo), -1)) return nullptr;
  if (IsUnsigned(hlo)) return nullptr;
  return context.Make(HloOpcode::kNegate, hlo->shape(), {Lhs(hlo)});
}

// x / c => x * (1 / c), for floats and powers of two with a normal inverse
Result DivideByPowerOfTwo(HloInstruction* hlo, RuleContext& context) {
  const auto c = SplatFloat(Rhs(hlo));
  if (!c.has_value() || !IsIeeeFloat(hlo) || IsConstantLike(Lhs(hlo))) {
    return nullptr;
  }
  int exponent = 0;
  if (!std::isfinite(*c) || std::fabs(std::frexp(*c, &exponent)) != 0.5) {
    return nullptr;
  }
  // |1 / c| = 2^(1 - exponent) is normal from 2^(UnderflowExponent - 1) on.
  const int inverse = 1 - exponent;
  if (inverse < primitive_util::UnderflowExponent(TypeOf(hlo)) - 1 ||
      inverse >= primitive_util::OverflowExponent(TypeOf(hlo))) {
    return nullptr;
  }
  return context.Make(HloOpcode::kMultiply, hlo->shape(),
                      {Lhs(hlo), context.Numbers(hlo->shape(), 1 / *c)});
}

// -x / -y => x / y, for floats
Result DivideNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate);
  if (!IsFloat(hlo) || x == nullptr || y == nullptr) return nullptr;
  return context.Make(HloOpcode::kDivide, hlo->shape(), {x, y});
}

// -x / c => x / -c, for floats
Result DivideNegatedByConstant(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  const auto c = SplatFloat(Rhs(hlo));
  if (x == nullptr || !c.has_value() || !IsIeeeFloat(hlo)) return nullptr;
  return context.Make(HloOpcode::kDivide, hlo->shape(),
                      {x, context.Numbers(hlo->shape(), -*c)});
}

// x / 2^k => x >> k, for unsigned integers
Result DivideByShift(HloInstruction* hlo, RuleContext& context) {
  const int k = PowerOfTwo(Rhs(hlo));
  if (k < 0) return nullptr;
  return context.Make(HloOpcode::kShiftRightLogical, hlo->shape(),
                      {Lhs(hlo), context.Integers(hlo->shape(), k)});
}

// (x / c1) / c2 => x / (c1 * c2), for integers, where the product fits
Result DivideTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kDivide);
  const auto c2 = SplatInt(Rhs(hlo));
  if (!IsInteger(hlo) || x == nullptr || !c2.has_value()) return nullptr;
  const auto c1 = SplatInt(Rhs(Lhs(hlo)));
  if (!c1.has_value() || *c1 <= 0 || *c2 <= 0) return nullptr;
  // The limit of the signed range is sufficient for unsigned types too.
  const int64_t limit = std::numeric_limits<int64_t>::max() >>
                        (64 - primitive_util::BitWidth(TypeOf(hlo)));
  if (*c1 > limit / *c2) return nullptr;
  return context.Make(HloOpcode::kDivide, hlo->shape(),
                      {x, context.Integers(hlo->shape(), *c1 * *c2)});
}

// iota / c => 0, where c is at least the size of the iota dimension
Result DivideIota(HloInstruction* hlo, RuleContext& context) {
  if (!CountsBelow(Lhs(hlo), Rhs(hlo))) return nullptr;
  return context.Integers(hlo->shape(), 0);
}

// x % 1 => 0, x % -1 => 0, for integers
Result RemainderByOne(HloInstruction* hlo, RuleContext& context) {
  const bool minus_one = !IsUnsigned(hlo) && IsInt(Rhs(hlo), -1);
  if (!IsInteger(hlo) || !(IsInt(Rhs(hlo), 1) || minus_one)) return nullptr;
  return context.Integers(hlo->shape(), 0);
}

// 0 % x => 0, for integers
Result RemainderOfZero(HloInstruction* hlo, RuleContext&) {
  return IsInt(Lhs(hlo), 0) ? Lhs(hlo) : nullptr;
}

// x % x => 0, for integers (0 % 0 is 0)
Result RemainderBySelf(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || Lhs(hlo) != Rhs(hlo)) return nullptr;
  return context.Integers(hlo->shape(), 0);
}

// x % 2^k => x & (2^k - 1), for unsigned integers
Result RemainderByMask(HloInstruction* hlo, RuleContext& context) {
  const int k = PowerOfTwo(Rhs(hlo));
  if (k < 0) return nullptr;
  const uint64_t mask = (uint64_t{1} << k) - 1;
  return context.Make(HloOpcode::kAnd, hlo->shape(),
                      {Lhs(hlo), context.Integers(hlo->shape(), mask)});
}

// (x % y) % y => x % y
Result RemainderTwice(HloInstruction* hlo, RuleContext&) {
  if (!Is(Lhs(hlo), HloOpcode::kRemainder) ||
      !IsSame(Rhs(Lhs(hlo)), Rhs(hlo))) {
    return nullptr;
  }
  return Lhs(hlo);
}

// x % -y => x % y, x % |y| => x % y, for signed numbers
Result RemainderByNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate);
  if (y == nullptr) y = Arg(Rhs(hlo), HloOpcode::kAbs);
  if (y == nullptr || IsUnsigned(hlo)) return nullptr;
  return context.Make(HloOpcode::kRemainder, hlo->shape(), {Lhs(hlo), y});
}

// iota % c => iota, where c is at least the size of the iota dimension
Result RemainderOfIota(HloInstruction* hlo, RuleContext&) {
  return CountsBelow(Lhs(hlo), Rhs(hlo)) ? Lhs(hlo) : nullptr;
}

constexpr Rule kDivide[] = {
    DivideByOne,
    DivideByMinusOne,
    DivideByPowerOfTwo,
    DivideNegated,
    DivideNegatedByConstant,
    DivideByShift,
    DivideTwice,
    DivideIota,
};
constexpr Rule kRemainder[] = {
    RemainderByOne, RemainderOfZero,    RemainderBySelf, RemainderByMask,
    RemainderTwice, RemainderByNegated, RemainderOfIota,
};

}  // namespace

Rules DivideRules() { return kDivide; }
Rules RemainderRules() { return kRemainder; }

}  // namespace xla::algebra
