// Square and cube roots and the reciprocal square root.
#include "xla/backends/cpu/codegen/math/float_lanes.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// x^(-1/3) within 4 percent, for positive normal x: a constant minus a third of
// the bits. The division by three is a floating-point product.
Value* GuessInverseCbrt(FloatLanes& l, Value* x) {
  llvm::IRBuilderBase& b = l.b();
  if (!l.is_double()) {
    Value* bits = b.CreateSIToFP(l.Bits(x), l.type());
    Value* third = b.CreateFPToSI(l.Mul(bits, l.C(1.0 / 3)), l.int_type());
    return l.FromBits(b.CreateSub(l.I(0x54a2fa8cu), third));
  }
  // The same for f64, on the upper half of the bits, which is converted by way
  // of 2^52.
  Value* upper = b.CreateLShr(l.Bits(x), l.I(32));
  Value* shifted = l.FromBits(b.CreateOr(upper, l.I(0x4330000000000000u)));
  Value* number = l.Sub(shifted, l.C(0x1p52));
  Value* third = l.Bits(l.Fma(number, l.C(1.0 / 3), l.C(0x1p52)));
  Value* guess =
      b.CreateSub(l.I(uint64_t{0x553ef0ff} << 32), b.CreateShl(third, l.I(32)));
  return l.FromBits(guess);
}

}  // namespace

Value* MathBuilder::Sqrt(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  return l.Sqrt(x);
}

Value* MathBuilder::Rsqrt(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  return l.Div(l.C(1), l.Sqrt(x));
}

Value* MathBuilder::Cbrt(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Cbrt, x);
  FloatLanes l(builder_, options_, x->getType());
  Value* magnitude = l.Abs(x);
  Value* tiny = l.Lt(magnitude, l.SmallestNormal());
  Value* scaled = l.Mul(magnitude, l.C(0x1p24, 0x1p54));
  Value* a = l.Select(tiny, scaled, magnitude);
  // z <- z (1 + e/3 + 2 e^2/9), e = 1 - a z^3, converges cubically.
  Value* z = GuessInverseCbrt(l, a);
  for (int step = 0; step < (l.is_double() ? 3 : 2); ++step) {
    Value* e = l.Fma(l.Neg(l.Mul(a, z)), l.Mul(z, z), l.C(1));
    Value* factor = l.Fma(e, l.C(2.0 / 9), l.C(1.0 / 3));
    z = l.Fma(l.Mul(z, e), factor, z);
  }
  // y = a z^2, and a last Newton step that corrects its rounding.
  Value* z2 = l.Mul(z, z);
  Value* y = l.Mul(a, z2);
  // Half of the remainder, since the cube of y may exceed the largest number.
  Value* half_y = l.Mul(y, l.C(0.5));
  Value* half_a = l.Mul(a, l.C(0.5));
  Value* rest = l.Fma(l.Neg(l.Mul(y, y)), half_y, half_a);
  y = l.Fma(l.Mul(rest, z2), l.C(2.0 / 3), y);
  y = l.Mul(y, l.Select(tiny, l.C(0x1p-8, 0x1p-18), l.C(1)));
  Value* ordinary =
      builder_.CreateAnd(l.Gt(magnitude, l.C(0)), l.Lt(magnitude, l.Inf()));
  return l.Select(ordinary, l.CopySign(y, x), x);
}

}  // namespace xla::cpu
