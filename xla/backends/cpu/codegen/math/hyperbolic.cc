// Hyperbolic functions and their inverses, from the parts of exp and log1p.
#include "xla/backends/cpu/codegen/math/exp_parts.h"
#include "xla/backends/cpu/codegen/math/hyperbolic_table.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {
namespace {

using llvm::Value;

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

// True where |x| is so small that odd functions with slope 1 equal x. Selecting
// x there keeps denormals and the sign of zero.
Value* IsTiny(FloatLanes& l, Value* x) {
  return l.Lt(l.Abs(x), l.C(0x1p-60, 0x1p-100));
}

// exp(a) / 2 for a >= 0, which may be finite even if exp(a) is not.
Value* HalfExp(FloatLanes& l, Value* a) {
  a = l.AtMost(a, l.C(89.5, 710.6));
  const ExpParts parts = ReduceExp(l, a, ExpError::kOfExp);
  Value* scale = l.PowerOfTwo(parts.n_bits, -2);
  Value* half = l.Fma(scale, parts.q, scale);
  return l.Add(half, half);
}

}  // namespace

Value* MathBuilder::Tanh(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Tanh, x);
  FloatLanes l(builder_, options_, x->getType());
  // With m = exp(2|x|) - 1: m / (m + 2). At the bound the result rounds to 1.
  Value* a = l.AtMost(l.Abs(x), l.C(9.1, 20));
  const ExpParts parts = ReduceExp(l, l.Add(a, a), ExpError::kOfExpm1);
  Value* scale = l.PowerOfTwo(parts.n_bits, 0);
  Value* m = l.Fma(scale, parts.q, l.Sub(scale, l.C(1)));
  Value* d = l.Add(m, l.C(2));
  if (l.is_double()) return l.CopySign(l.Div(m, d), x);
  // A Newton step corrects the rounding of the divisor and of the quotient.
  Value* d_lo = l.Sub(m, l.Sub(d, l.C(2)));
  Value* inverse = l.Reciprocal(d);
  Value* y = l.Mul(m, inverse);
  Value* minus_y = l.Neg(y);
  Value* rest = l.Fma(minus_y, d_lo, l.Fma(minus_y, d, m));
  return l.CopySign(l.Fma(rest, inverse, y), x);
}

Value* MathBuilder::Sinh(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Sinh, x);
  FloatLanes l(builder_, options_, x->getType());
  Value* a = l.Abs(x);
  if (!l.is_double()) {
    Value* h = HalfExp(l, a);
    Value* y = l.CopySign(l.Sub(h, l.Div(l.C(0.25), h)), x);
    Value* x2 = l.Mul(x, x);
    Value* p = l.Mul(x2, l.Polynomial(x2, kSinhF32));
    return l.Select(l.Lt(a, l.C(1)), l.Fma(x, p, x), y);
  }
  // With h = (exp(|x|) - 1) / 2: h + h / (2h + 1). The scale is 2^(n-2), so
  // that exp may overflow where sinh does not.
  a = l.AtMost(a, l.C(710.6));
  const ExpParts parts = ReduceExp(l, a, ExpError::kOfExpm1);
  Value* scale = l.PowerOfTwo(parts.n_bits, -2);
  Value* half = l.Fma(scale, parts.q, l.Sub(scale, l.C(0.25)));
  Value* h = l.Add(half, half);
  // `half` stays finite, which avoids a quotient of infinities.
  Value* quotient = l.Div(half, l.Add(l.Add(h, h), l.C(1)));
  Value* y = l.Add(h, l.Add(quotient, quotient));
  return l.Select(IsTiny(l, x), x, l.CopySign(y, x));
}

Value* MathBuilder::Cosh(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Cosh, x);
  FloatLanes l(builder_, options_, x->getType());
  Value* h = HalfExp(l, l.Abs(x));
  return l.Add(h, l.Div(l.C(0.25), h));
}

Value* MathBuilder::Asinh(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Asinh, x);
  FloatLanes l(builder_, options_, x->getType());
  // log1p(a + a^2 / (1 + sqrt(1 + a^2))); for large a, log(2a).
  Value* a = l.Abs(x);
  Value* large = l.Gt(a, l.C(0x1p30, 0x1p60));
  Value* square = l.Mul(a, a);
  Value* root = l.Sqrt(l.Add(square, l.C(1)));
  Value* sum = l.Add(a, l.Div(square, l.Add(root, l.C(1))));
  Value* y = Log1p(l.Select(large, a, sum));
  y = l.Add(y, l.Select(large, l.C(kLn2), l.C(0)));
  return l.CopySign(y, x);
}

Value* MathBuilder::Acosh(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Acosh, x);
  FloatLanes l(builder_, options_, x->getType());
  // With t = x - 1: log1p(t + sqrt(t (t + 2))); for large x, log(2x).
  Value* large = l.Gt(x, l.C(0x1p30, 0x1p60));
  Value* t = l.Sub(x, l.C(1));
  Value* root = l.Sqrt(l.Mul(t, l.Add(t, l.C(2))));
  Value* y = Log1p(l.Select(large, x, l.Add(t, root)));
  y = l.Add(y, l.Select(large, l.C(kLn2), l.C(0)));
  return l.Select(l.Ge(x, l.C(1)), y, l.NaN());
}

Value* MathBuilder::Atanh(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Atanh, x);
  FloatLanes l(builder_, options_, x->getType());
  // log1p(2a / (1 - a)) / 2; NaN beyond 1, where the quotient is below -1.
  Value* a = l.Abs(x);
  Value* quotient = l.Div(l.Add(a, a), l.Sub(l.C(1), a));
  return l.CopySign(l.Mul(l.C(0.5), Log1p(quotient)), x);
}

}  // namespace xla::cpu
