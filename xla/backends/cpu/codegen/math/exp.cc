// exp, exp2, expm1 and logistic: x = n ln 2 + r, a polynomial for
// exp(r) - 1, and scaling by 2^n in at most two exact-ish steps.
#include "xla/backends/cpu/codegen/math/exp_parts.h"
#include "xla/backends/cpu/codegen/math/exp_table.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/registers_avx512.h"

namespace xla::cpu {
namespace {

using llvm::Value;

constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;

// ln 2 in two parts; the first has so few bits that its product with n is
// exact.
Value* Ln2Hi(FloatLanes& l) { return l.C(-0x1.62e4p-1, -0x1.62e42feep-1); }
Value* Ln2Lo(FloatLanes& l) {
  return l.C(-0x1.7f7d1cp-20, -0x1.a39ef35793c76p-33);
}

// exp(r) - 1 for |r| <= ln(2) / 2. `short_chain`: in f64, two more operations,
// of which fewer depend on each other.
Value* Expm1Polynomial(FloatLanes& l, Value* r, ExpError error,
                       bool short_chain = false) {
  const bool of_exp = error == ExpError::kOfExp;
  Value* p;
  if (l.is_double()) {
    const llvm::ArrayRef<double> table =
        of_exp ? llvm::ArrayRef<double>(kExpF64) : kExpm1F64;
    p = short_chain ? l.PolynomialByHalves(r, table)
                    : l.PolynomialByParity(r, table);
  } else {
    p = l.Polynomial(r, of_exp ? kExpF32 : kExpm1F32);
  }
  return l.Fma(l.Mul(r, r), p, r);
}

// Limits x from below to `low`, where the result is 0, so that reduction and
// scaling stay in range. With vscalef any x will do: it discards the
// intermediate results of arguments that are too small.
Value* LimitBelow(FloatLanes& l, Value* x, Value* low) {
  return l.options().has_avx512 ? x : l.AtLeast(x, low);
}

// 2^n * (1 + q) for n from -126 to 127 (f32) or from -1022 to 1023 (f64), where
// 2^n is normal. The same bits as those of ScaleExp.
Value* ScaleInRange(FloatLanes& l, const ExpParts& parts) {
  Value* scale = l.PowerOfTwo(parts.n_bits, 0);
  return l.Fma(scale, parts.q, scale);
}

// Whether any |x| is more than `most`. NaN is not.
Value* AnyIsLarge(FloatLanes& l, Value* x, Value* most) {
  return l.Any(l.Gt(l.Abs(x), most));
}

// exp(x) for |x| <= 87 (f32) or 708 (f64), in two thirds of the instructions
// that all other x need.
Value* ExpInRange(FloatLanes& l, Value* x) {
  return ScaleInRange(l, ReduceExp(l, x, ExpError::kOfExp));
}

Value* ExpOfAll(FloatLanes& l, Value* x) {
  x = l.AtMost(LimitBelow(l, x, ExpLow(l)), ExpHigh(l));
  return ScaleExp(l, ReduceExp(l, x, ExpError::kOfExp), x);
}

// exp(x) for x <= 0, which is what logistic needs.
Value* ExpOfNegative(FloatLanes& l, Value* x) {
  x = LimitBelow(l, x, ExpLow(l));
  return ScaleExp(l, ReduceExp(l, x, ExpError::kOfExp), x);
}

// What `all_x`, one of the two functions above, gives for x. With vscalef all x
// take the same few instructions.
Value* ExpOf(FloatLanes& l, Value* x, Value* (*all_x)(FloatLanes&, Value*)) {
  if (l.options().has_avx512) return all_x(l, x);
  return Unless(l.b(), AnyIsLarge(l, x, l.C(87, 708)), ExpInRange(l, x),
                [&] { return all_x(l, x); });
}

// The parts of 2^x.
ExpParts ReduceExp2(FloatLanes& l, Value* x) {
  Value* shifted = l.Add(x, l.C(l.Magic()));
  Value* n = l.Sub(shifted, l.C(l.Magic()));
  Value* r = l.Mul(l.Sub(x, n), l.C(kLn2));
  return {Expm1Polynomial(l, r, ExpError::kOfExp), n, l.Bits(shifted)};
}

Value* Exp2OfAll(FloatLanes& l, Value* x) {
  x = l.AtMost(LimitBelow(l, x, l.C(-151, -1076)), l.C(128.5, 1024.5));
  return ScaleExp(l, ReduceExp2(l, x), x);
}

}  // namespace

Value* ExpLow(FloatLanes& l) { return l.C(-105, -746); }
Value* ExpHigh(FloatLanes& l) { return l.C(89, 710); }

ExpParts ReduceExp(FloatLanes& l, Value* x, ExpError error, Value* correction) {
  Value* shifted = l.Fma(x, l.C(kLog2E), l.C(l.Magic()));
  Value* n = l.Sub(shifted, l.C(l.Magic()));
  Value* r = l.Fma(n, Ln2Hi(l), x);
  r = correction == nullptr ? l.Fma(n, Ln2Lo(l), r)
                            : l.Add(r, l.Fma(n, Ln2Lo(l), correction));
  // What has a correction comes out of a long chain of operations already.
  return {Expm1Polynomial(l, r, error, correction != nullptr), n,
          l.Bits(shifted)};
}

Value* ScaleExp(FloatLanes& l, const ExpParts& parts, Value* x) {
  // Where the result rounds to 0, no operation may underflow: an underflow
  // costs processors a hundred cycles and more, and masked lanes cause many of
  // them.
  Value* gone = l.Lt(parts.n, l.C(-150.5, -1075.5));
  if (l.options().has_avx512) {
    Value* mantissa = l.Select(gone, l.C(0), l.Add(parts.q, l.C(1)));
    return ScaleByInstruction(l, mantissa, parts.n);
  }
  // 2^(n-1) is a normal number for every n near the top of the range, and
  // 2^(n-1+up) is one near the bottom. The last product then rounds to a
  // denormal only once.
  const int up = l.is_double() ? 128 : 64;
  const int mantissa = l.mantissa_bits();
  const uint64_t bias = l.exponent_bias() - 1;
  Value* low = l.Lt(x, l.C(-80, -690));
  Value* offset =
      l.Select(low, l.I((bias + up) << mantissa), l.I(bias << mantissa));
  Value* exponent = l.b().CreateShl(parts.n_bits, l.I(mantissa));
  Value* scale = l.FromBits(l.b().CreateAdd(exponent, offset));
  Value* rest = l.Select(low, l.C(0x1p-63, 0x1p-127), l.C(2));
  rest = l.Select(gone, l.C(0), rest);
  return l.Mul(l.Fma(scale, parts.q, scale), rest);
}

Value* MathBuilder::Exp(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Exp, x);
  FloatLanes l(builder_, options_, x->getType());
  return ExpOf(l, x, &ExpOfAll);
}

Value* MathBuilder::Exp2(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Exp2, x);
  FloatLanes l(builder_, options_, x->getType());
  if (options_.has_avx512) return Exp2OfAll(l, x);
  return Unless(l.b(), AnyIsLarge(l, x, l.C(126, 1022)),
                ScaleInRange(l, ReduceExp2(l, x)),
                [&] { return Exp2OfAll(l, x); });
}

Value* MathBuilder::Expm1(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Expm1, x);
  FloatLanes l(builder_, options_, x->getType());
  // Below the lower bound the result rounds to -1.
  Value* clamped = l.AtMost(l.AtLeast(x, l.C(-30, -60)), ExpHigh(l));
  const ExpParts parts = ReduceExp(l, clamped, ExpError::kOfExpm1);
  // Half of the result, so that 2^(n-1) stays finite at the top of the range.
  Value* scale = l.PowerOfTwo(parts.n_bits, -1);
  Value* half = l.Fma(scale, parts.q, l.Sub(scale, l.C(0.5)));
  // Halving would lose a bit of a denormal and the sign of -0.
  Value* tiny = l.Lt(l.Abs(x), l.C(0x1p-60, 0x1p-100));
  return l.Select(tiny, x, l.Add(half, half));
}

Value* MathBuilder::Logistic(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Logistic, x);
  FloatLanes l(builder_, options_, x->getType());
  // e = exp(-|x|) cannot overflow. For negative x the result is e / (1 + e) = e
  // - e^2 / (1 + e), where the rounding of 1 + e matters less.
  Value* e = ExpOf(l, l.Neg(l.Abs(x)), &ExpOfNegative);
  Value* right = l.Reciprocal(l.Add(e, l.C(1)));
  Value* left = l.Fma(l.Neg(e), l.Mul(e, right), e);
  return l.Select(l.Lt(x, l.C(0)), left, right);
}

}  // namespace xla::cpu
