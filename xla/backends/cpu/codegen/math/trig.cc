// sin, cos and tan: a polynomial on one period of the sign (half of one for
// tan) around a zero, after the reduction of trig_reduction.cc.
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/trig_reduction.h"
#include "xla/backends/cpu/codegen/math/trig_table.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// sin(r) for |r| <= pi/2, negated where n is odd.
Value* SinOfReduced(FloatLanes& l, const TrigParts& parts) {
  Value* r = parts.r;
  Value* r2 = l.Mul(r, r);
  // Near pi/2 this order loses the least: r^3 lies just below 4, where a
  // rounding is small beside it. f32 stays within 1.9 ulp and at most 1.
  Value* r3 = l.Mul(r, r2);
  Value* p = l.Polynomial(r2, kSinF32, kSinF64);
  return l.Fma(r3, p, r);
}

}  // namespace

Value* MathBuilder::Sin(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Sin, x);
  FloatLanes l(builder_, options_, x->getType());
  const TrigParts parts = ReduceTrig(l, l.Abs(x), TrigUnit::kPi);
  Value* sign = builder_.CreateXor(l.SignBit(x), l.LowBitAsSign(parts.n));
  return l.FlipSign(SinOfReduced(l, parts), sign);
}

Value* MathBuilder::Cos(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Cos, x);
  FloatLanes l(builder_, options_, x->getType());
  const TrigParts parts = ReduceTrig(l, l.Abs(x), TrigUnit::kPiShifted);
  return l.FlipSign(SinOfReduced(l, parts), l.LowBitAsSign(parts.n));
}

Value* MathBuilder::Tan(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Tan, x);
  FloatLanes l(builder_, options_, x->getType());
  const TrigParts parts = ReduceTrig(l, l.Abs(x), TrigUnit::kHalfPi);
  Value* r = parts.r;
  Value* r2 = l.Mul(r, r);
  Value* p = l.Polynomial(r2, kTanF32, kTanF64);
  // The slope of tan is 1 + tan^2, near 1 + r^2.
  Value* low = l.Fma(parts.r_lo, r2, parts.r_lo);
  Value* rest = l.Fma(r, l.Mul(r2, p), low);
  Value* t = l.Add(r, rest);
  // tan(r + pi/2) = -1 / tan(r).
  Value* odd =
      builder_.CreateICmpNE(builder_.CreateAnd(parts.n, l.I(1)), l.I(0));
  Value* y = l.Div(l.Select(odd, l.C(-1), t), l.Select(odd, t, l.C(1)));
  if (!l.is_double()) {
    // What the sum t lost, for the sake of its reciprocal.
    Value* t_lo = l.Sub(rest, l.Sub(t, r));
    y = l.Select(odd, l.Fma(y, l.Mul(y, t_lo), y), y);
  }
  return l.FlipSign(y, l.SignBit(x));
}

}  // namespace xla::cpu
