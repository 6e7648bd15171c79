// asin, acos, atan and atan2: polynomials on [0, 1/2] or [0, 1] and the
// identities that lead there.
#include "xla/backends/cpu/codegen/math/float_lanes.h"
#include "xla/backends/cpu/codegen/math/inverse_trig_table.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// Multiples of pi/2 as the nearest number of the type and the remainder.
HiLo HalfPis(FloatLanes& l, int count) {
  const double hi = l.is_double() ? 0x1.921fb54442d18p+0 : 0x1.921fb6p+0;
  const double lo = l.is_double() ? 0x1.1a62633145c07p-54 : -0x1.777a5cp-25;
  return {l.C(hi * count), l.C(lo * count)};
}

// atan(z) for 0 <= z <= 1.
Value* AtanOfReduced(FloatLanes& l, Value* z) {
  Value* z2 = l.Mul(z, z);
  Value* p = l.Polynomial(z2, kAtanF32, kAtanF64);
  return l.Fma(z, l.Mul(z2, p), z);
}

// asin(z) for |z| <= 1/2. For larger a = |z|, asin(sqrt((1 - a) / 2)) instead:
// then acos(a) = 2 `value` and asin(a) = pi/2 - acos(a).
struct AsinParts {
  Value* is_large;
  Value* value;
};
AsinParts ReduceAsin(FloatLanes& l, Value* x) {
  Value* a = l.Abs(x);
  Value* large = l.Gt(a, l.C(0.5));
  Value* half = l.Fma(l.C(-0.5), a, l.C(0.5));
  Value* z2 = l.Select(large, half, l.Mul(x, x));
  Value* z = l.Select(large, l.Sqrt(half), a);
  Value* p = l.Polynomial(z2, kAsinF32, kAsinF64);
  return {large, l.Fma(z, l.Mul(z2, p), z)};
}

}  // namespace

Value* MathBuilder::Asin(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Asin, x);
  FloatLanes l(builder_, options_, x->getType());
  const AsinParts parts = ReduceAsin(l, x);
  const HiLo pi = HalfPis(l, 1);
  Value* outer = l.Add(l.Fma(l.C(-2), parts.value, pi.lo), pi.hi);
  return l.CopySign(l.Select(parts.is_large, outer, parts.value), x);
}

Value* MathBuilder::Acos(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Acos, x);
  FloatLanes l(builder_, options_, x->getType());
  const AsinParts parts = ReduceAsin(l, x);
  const HiLo half_pi = HalfPis(l, 1);
  const HiLo pi = HalfPis(l, 2);
  Value* inner = l.Sub(l.CopySign(parts.value, x), half_pi.lo);
  inner = l.Sub(half_pi.hi, inner);
  Value* twice = l.Add(parts.value, parts.value);
  Value* left = l.Sub(pi.hi, l.Sub(twice, pi.lo));
  Value* outer = l.Select(l.Lt(x, l.C(0)), left, twice);
  return l.Select(parts.is_large, outer, inner);
}

Value* MathBuilder::Atan(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Atan, x);
  FloatLanes l(builder_, options_, x->getType());
  // atan(a) = pi/2 + atan(-1/a).
  Value* a = l.Abs(x);
  Value* large = l.Gt(a, l.C(1));
  Value* z = l.Select(large, l.Div(l.C(-1), a), a);
  const HiLo pi = HalfPis(l, 1);
  Value* y = AtanOfReduced(l, z);
  Value* outer = l.Add(pi.hi, l.Add(y, pi.lo));
  return l.CopySign(l.Select(large, outer, y), x);
}

Value* MathBuilder::Atan2(Value* y, Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (UsesDouble(x)) return l.ToFloat(Atan2(l.ToDouble(y), l.ToDouble(x)));
  Value* a = l.Abs(x);
  Value* b = l.Abs(y);
  Value* steep = l.Gt(b, a);
  Value* small = l.Select(steep, a, b);
  Value* large = l.Select(steep, b, a);
  Value* z = l.Div(small, large);
  // Special cases: both arguments are infinite, or both are zero.
  z = l.Select(l.Eq(small, l.Inf()), l.C(1), z);
  z = l.Select(l.Eq(large, l.C(0)), l.C(0), z);
  // The angle depends on the octant: r, pi/2 - r, pi/2 + r or pi - r.
  Value* r = AtanOfReduced(l, z);
  Value* left = builder_.CreateICmpSLT(l.Bits(x), l.I(0));
  const HiLo half = HalfPis(l, 1);
  const HiLo full = HalfPis(l, 2);
  Value* base = l.Select(steep, half.hi, l.Select(left, full.hi, l.C(0)));
  Value* rest = l.Select(steep, half.lo, l.Select(left, full.lo, l.C(0)));
  Value* minus = builder_.CreateXor(steep, left);
  Value* angle = l.Add(base, l.Add(l.Select(minus, l.Neg(r), r), rest));
  Value* unordered = builder_.CreateFCmpUNO(x, y);
  return l.Select(unordered, l.Add(x, y), l.CopySign(angle, y));
}

}  // namespace xla::cpu
