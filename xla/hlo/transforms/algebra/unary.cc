// Rules of abs, negate, sign, the roundings, even functions, is-finite, and of
// complex, real and imag.
#include "xla/core/primitive_util.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

bool IsRounding(const HloInstruction* x) {
  switch (x->opcode()) {
    case HloOpcode::kFloor:
    case HloOpcode::kCeil:
    case HloOpcode::kRoundNearestAfz:
    case HloOpcode::kRoundNearestEven:
      return true;
    default:
      return false;
  }
}

bool IsConvertFrom(const HloInstruction* x, bool (*matches)(PrimitiveType)) {
  return Is(x, HloOpcode::kConvert) && matches(TypeOf(x->operand(0)));
}

bool IsIntegerOrPredType(PrimitiveType type) {
  return type == PRED || primitive_util::IsIntegralType(type);
}
bool IsUnsignedOrPredType(PrimitiveType type) {
  return type == PRED || primitive_util::IsUnsignedIntegralType(type);
}

// abs -------------------------------------------------------------------------

// | |x| | => |x|
Result AbsTwice(HloInstruction* hlo, RuleContext&) {
  return Is(Lhs(hlo), HloOpcode::kAbs) ? Lhs(hlo) : nullptr;
}

// |-x| => |x|
Result AbsNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  if (x == nullptr) return nullptr;
  return context.Make(HloOpcode::kAbs, hlo->shape(), {x});
}

// |x * x| => x * x, |exp(x)| => exp(x) and so on, for floats that are not
// negative
Result AbsNotNegative(HloInstruction* hlo, RuleContext&) {
  HloInstruction* x = Lhs(hlo);
  if (!IsIeeeFloat(x)) return nullptr;
  switch (x->opcode()) {
    case HloOpcode::kMultiply:
      return Lhs(x) == Rhs(x) ? x : nullptr;
    case HloOpcode::kExp:
    case HloOpcode::kLogistic:
    case HloOpcode::kCosh:
    case HloOpcode::kIota:
      return x;
    case HloOpcode::kConvert:
      return IsConvertFrom(x, IsUnsignedOrPredType) ? x : nullptr;
    default:
      return nullptr;
  }
}

// negate ----------------------------------------------------------------------

// -(-x) => x
Result NegateTwice(HloInstruction* hlo, RuleContext&) {
  return Arg(Lhs(hlo), HloOpcode::kNegate);
}

// -(x - y) => y - x, for integers
Result NegateDifference(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  if (!IsInteger(hlo) || !Is(inner, HloOpcode::kSubtract) || !OneUse(inner)) {
    return nullptr;
  }
  return context.Make(HloOpcode::kSubtract, hlo->shape(),
                      {Rhs(inner), Lhs(inner)});
}

// -(x * c) => x * -c, -(x / c) => x / -c (for floats)
Result NegateScaled(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  const bool multiply = Is(inner, HloOpcode::kMultiply);
  if (!(multiply || Is(inner, HloOpcode::kDivide)) || !OneUse(inner)) {
    return nullptr;
  }
  HloInstruction* negated = nullptr;
  if (const auto c = SplatInt(Rhs(inner)); c.has_value() && multiply) {
    negated =
        context.Integers(hlo->shape(), uint64_t{0} - static_cast<uint64_t>(*c));
  } else if (const auto c = SplatFloat(Rhs(inner)); c && IsIeeeFloat(hlo)) {
    negated = context.Numbers(hlo->shape(), -*c);
  } else {
    return nullptr;
  }
  return context.Make(inner->opcode(), hlo->shape(), {Lhs(inner), negated});
}

// -(not x) => x + 1, for integers
Result NegateNot(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNot);
  if (x == nullptr || !IsInteger(hlo)) return nullptr;
  return context.Make(HloOpcode::kAdd, hlo->shape(),
                      {x, context.Integers(hlo->shape(), 1)});
}

// sign, roundings -------------------------------------------------------------

// sign(sign(x)) => sign(x), for real numbers
Result SignTwice(HloInstruction* hlo, RuleContext&) {
  if (!Is(Lhs(hlo), HloOpcode::kSign)) return nullptr;
  return IsInteger(hlo) || IsFloat(hlo) ? Lhs(hlo) : nullptr;
}

// floor(x) => x, and for ceil and round, where x is made of integers
Result RoundInteger(HloInstruction* hlo, RuleContext&) {
  HloInstruction* x = Lhs(hlo);
  const bool integers = IsRounding(x) || Is(x, HloOpcode::kIota) ||
                        Is(x, HloOpcode::kSign) ||
                        IsConvertFrom(x, IsIntegerOrPredType);
  return integers && IsIeeeFloat(x) ? x : nullptr;
}

// cos(-x) => cos(x), cos(|x|) => cos(x), and for cosh, for real numbers
Result EvenOfNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  if (x == nullptr) x = Arg(Lhs(hlo), HloOpcode::kAbs);
  if (x == nullptr || !IsFloat(x)) return nullptr;
  return context.Make(hlo->opcode(), hlo->shape(), {x}, hlo->raw_attrs());
}

// is-finite -------------------------------------------------------------------

// is-finite(-x) => is-finite(x), and for |x| and roundings
Result IsFiniteOfNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Lhs(hlo);
  if (!Is(x, HloOpcode::kNegate) && !Is(x, HloOpcode::kAbs) && !IsRounding(x)) {
    return nullptr;
  }
  if (!IsIeeeFloat(Lhs(x))) return nullptr;
  return context.Make(HloOpcode::kIsFinite, hlo->shape(), {Lhs(x)});
}

// is-finite(convert(n)) => true, for integers n and a type that holds them
Result IsFiniteOfInteger(HloInstruction* hlo, RuleContext& context) {
  const HloInstruction* x = Lhs(hlo);
  const bool wide = TypeOf(x) == F32 || TypeOf(x) == F64 || TypeOf(x) == BF16;
  if (!wide || !IsConvertFrom(x, IsIntegerOrPredType)) return nullptr;
  return context.Integers(hlo->shape(), 1);
}

// complex, real, imag ---------------------------------------------------------

// complex(real(z), imag(z)) => z
Result ComplexOfParts(HloInstruction* hlo, RuleContext&) {
  HloInstruction* z = Arg(Lhs(hlo), HloOpcode::kReal);
  if (z == nullptr || Arg(Rhs(hlo), HloOpcode::kImag) != z) return nullptr;
  return z;
}

// real(complex(x, y)) => x
Result RealOfComplex(HloInstruction* hlo, RuleContext&) {
  return Arg(Lhs(hlo), HloOpcode::kComplex, 0);
}

// real(x) => x, for real numbers
Result RealOfReal(HloInstruction* hlo, RuleContext&) {
  return IsFloat(Lhs(hlo)) ? Lhs(hlo) : nullptr;
}

// imag(complex(x, y)) => y
Result ImagOfComplex(HloInstruction* hlo, RuleContext&) {
  return Arg(Lhs(hlo), HloOpcode::kComplex, 1);
}

// imag(x) => 0, for real numbers
Result ImagOfReal(HloInstruction* hlo, RuleContext& context) {
  if (!IsFloat(Lhs(hlo))) return nullptr;
  return context.Numbers(hlo->shape(), 0);
}

constexpr Rule kAbs[] = {AbsTwice, AbsNegated, AbsNotNegative};
constexpr Rule kNegate[] = {NegateTwice, NegateDifference, NegateScaled,
                            NegateNot};
constexpr Rule kSign[] = {SignTwice};
constexpr Rule kRounding[] = {RoundInteger};
constexpr Rule kEvenFunction[] = {EvenOfNegated};
constexpr Rule kIsFinite[] = {IsFiniteOfNegated, IsFiniteOfInteger};
constexpr Rule kComplex[] = {ComplexOfParts};
constexpr Rule kReal[] = {RealOfComplex, RealOfReal};
constexpr Rule kImag[] = {ImagOfComplex, ImagOfReal};

}  // namespace

Rules AbsRules() { return kAbs; }
Rules NegateRules() { return kNegate; }
Rules SignRules() { return kSign; }
Rules RoundingRules() { return kRounding; }
Rules EvenFunctionRules() { return kEvenFunction; }
Rules IsFiniteRules() { return kIsFinite; }
Rules ComplexRules() { return kComplex; }
Rules RealRules() { return kReal; }
Rules ImagRules() { return kImag; }

}  // namespace xla::algebra
