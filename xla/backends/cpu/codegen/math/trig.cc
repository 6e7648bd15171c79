// sin, cos and tan: a polynomial on one period of the sign (half of one for
// tan) around a zero, after the reduction of trig_reduction.cc.
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/trig_reduction.h"
#include "xla/backends/cpu/codegen/math/trig_table.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// sin(r) for |r| <= pi/2, in f64.
Value* SinOfReduced(FloatLanes& l, const TrigParts& parts) {
  Value* r = parts.r;
  Value* r2 = l.Mul(r, r);
  // Near pi/2 this order loses the least: r^3 lies just below 4, where its
  // rounding error is relatively small.
  Value* r3 = l.Mul(r, r2);
  return l.Fma(r3, l.Polynomial(r2, kSinF64), r);
}

// sin or cos of f32, computed in f64. In f32 the reduced argument and the first
// terms of the polynomial would need two numbers each for an error below an
// ulp, which takes as many instructions.
Value* SinOfFloat(FloatLanes& narrow, Value* x, TrigUnit unit) {
  llvm::IRBuilderBase& b = narrow.b();
  FloatLanes l(b, narrow.options(), narrow.WithLanes(b.getDoubleTy()));
  const TrigParts parts = ReduceFloatTrig(narrow, l, x, unit);
  Value* p = l.Polynomial(l.Mul(parts.r, parts.r), kSinFloat);
  Value* r = l.FlipSign(parts.r, l.LowBitAsSign(parts.n));
  return l.ToFloat(l.Mul(r, p));
}

}  // namespace

Value* MathBuilder::Sin(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (!l.is_double()) return SinOfFloat(l, x, TrigUnit::kPi);
  const TrigParts parts = ReduceTrig(l, l.Abs(x), TrigUnit::kPi);
  Value* sign = builder_.CreateXor(l.SignBit(x), l.LowBitAsSign(parts.n));
  return l.FlipSign(SinOfReduced(l, parts), sign);
}

Value* MathBuilder::Cos(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (!l.is_double()) return SinOfFloat(l, x, TrigUnit::kPiShifted);
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
    // t_lo is what the rounding of t lost; the reciprocal needs it.
    Value* t_lo = l.Sub(rest, l.Sub(t, r));
    y = l.Select(odd, l.Fma(y, l.Mul(y, t_lo), y), y);
  }
  return l.FlipSign(y, l.SignBit(x));
}

}  // namespace xla::cpu
