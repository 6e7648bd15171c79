// erf and erfinv by polynomials on two or three intervals, or on as many as a
// register has lanes; erfc by one for exp(t^2) erfc(t).
#include <iterator>

#include "xla/backends/cpu/codegen/math/erf_table.h"
#include "xla/backends/cpu/codegen/math/exp_parts.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/registers_avx512.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// The distance of the pieces of kErfPiecesF32.
constexpr double kErfSpacing = 17.0 / 64;

// erf(x) for |x| <= 1.
Value* ErfSmall(FloatLanes& l, Value* x) {
  Value* x2 = l.Mul(x, x);
  Value* p = l.is_double() ? l.PolynomialByHalves(x2, kErfSmallF64)
                           : l.Polynomial(x2, kErfSmallF32);
  return l.Fma(x, p, x);
}

// 1 - erf(a) for a between 1 and the bound beyond which erf rounds to 1. The
// error is small relative to 1, not relative to the result.
Value* Complement(FloatLanes& l, Value* a) {
  a = l.AtMost(a, l.C(3.95, 6));
  Value* t = l.Sub(a, l.C(2, 2.5));
  Value* p = l.is_double() ? l.PolynomialByHalves(t, kErfLargeF64)
                           : l.Polynomial(t, kErfLargeF32);
  const ExpParts parts = ReduceExp(l, p, ExpError::kOfExp);
  Value* scale = l.PowerOfTwo(parts.n_bits, 0);
  return l.Fma(scale, parts.q, scale);
}

// erf(x) of floats by a polynomial around the nearest of 16 numbers, which
// permutations of registers look up, as they do its coefficients.
Value* ErfByPieces(FloatLanes& l, Value* x) {
  Value* a = l.AtMost(l.Abs(x), l.C(4));
  Value* magic = l.C(l.Magic());
  Value* shifted = l.Fma(a, l.C(1 / kErfSpacing), magic);
  auto look_up = [&](const double(&table)[16]) {
    return LookUpByInstruction(l, table, l.Bits(shifted));
  };
  Value* t = l.Sub(a, look_up(kErfMiddlesF32));
  constexpr int kDegree = std::size(kErfPiecesF32) - 1;
  Value* p = look_up(kErfPiecesF32[kDegree]);
  for (int k = kDegree - 1; k > 0; --k) {
    p = l.Fma(p, t, look_up(kErfPiecesF32[k]));
  }
  // In the first piece the polynomial is the difference to x.
  Value* start = l.Select(l.Eq(shifted, magic), t, look_up(kErfPiecesF32[0]));
  return l.CopySign(l.Fma(p, t, start), x);
}

Value* ErfInvF32(FloatLanes& l, Value* w) {
  Value* small = l.Polynomial(l.Sub(w, l.C(2.5)), kErfInvSmallF32);
  Value* root = l.Sub(l.Sqrt(w), l.C(3));
  Value* large = l.Polynomial(root, kErfInvLargeF32);
  return l.Select(l.Lt(w, l.C(5)), small, large);
}

Value* ErfInvF64(FloatLanes& l, Value* w) {
  Value* small = l.Polynomial(l.Sub(w, l.C(3.125)), kErfInvSmallF64);
  Value* root = l.Sqrt(w);
  Value* mid = l.Polynomial(l.Sub(root, l.C(3.25)), kErfInvMidF64);
  Value* large = l.Polynomial(l.Sub(root, l.C(5)), kErfInvLargeF64);
  Value* outer = l.Select(l.Lt(w, l.C(16)), mid, large);
  return l.Select(l.Lt(w, l.C(6.25)), small, outer);
}

}  // namespace

Value* MathBuilder::Erf(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Erf, x);
  FloatLanes l(builder_, options_, x->getType());
  if (options_.has_avx512 && !l.is_double()) return ErfByPieces(l, x);
  Value* a = l.Abs(x);
  Value* is_large = l.Gt(a, l.C(1));
  const auto large = [&] {
    return l.CopySign(l.Sub(l.C(1), Complement(l, a)), x);
  };
  Value* small = ErfSmall(l, x);
  if (l.lanes() != 0) return l.Select(is_large, large(), small);
  return Unless(builder_, is_large, small, large);
}

Value* MathBuilder::Erfc(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Erfc, x);
  FloatLanes l(builder_, options_, x->getType());
  // Beyond this bound exp(-t^2) is 0, so that nothing underflows.
  Value* t = l.AtMost(l.Abs(x), l.C(10.24, 27.31));
  const HiLo square = l.TwoProduct(t, t);
  Value* exponent = l.Neg(square.hi);
  Value* exp = ScaleExp(
      l, ReduceExp(l, exponent, ExpError::kOfExp, l.Neg(square.lo)), exponent);
  Value* w = l.Reciprocal(l.Add(t, l.C(2, 3)));
  Value* p = l.is_double() ? l.Polynomial(l.Fma(w, l.C(-6), l.C(1)), kErfcF64)
                           : l.PolynomialByHalves(w, kErfcF32);
  Value* outer = l.Mul(exp, l.Mul(w, p));
  return l.Select(l.Lt(x, l.C(0)), l.Sub(l.C(2), outer), outer);
}

Value* MathBuilder::ErfInv(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::ErfInv, x);
  FloatLanes l(builder_, options_, x->getType());
  // w = -log(1 - x^2); both factors are exact where the logarithm is steep.
  Value* one = l.C(1);
  Value* w = l.Neg(Log(l.Mul(l.Sub(one, x), l.Add(one, x))));
  Value* p = l.is_double() ? ErfInvF64(l, w) : ErfInvF32(l, w);
  Value* y = l.Mul(x, p);
  return l.Select(l.Eq(l.Abs(x), one), l.CopySign(l.Inf(), x), y);
}

}  // namespace xla::cpu
