// log, log2 and log1p: x = 2^e (1 + f) with sqrt(1/2) <= 1 + f <= sqrt(2), and
// a polynomial (f32) or the series of 2 atanh(f / (2 + f)) (f64) for log(1+f).
// With AVX-512, log of f64 divides f's interval into 16 pieces instead.
#include "xla/backends/cpu/codegen/math/log_parts.h"
#include "xla/backends/cpu/codegen/math/log_table.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/registers_avx512.h"

namespace xla::cpu {
namespace {

using llvm::Value;

constexpr double kLog2E = 0x1.71547652b82fep+0;
// Where the pieces of logarithms begin.
constexpr uint64_t kLogPieceRoot = 0x3fe6555500000000u;

// e ln 2 + log(1 + f). The small terms are added first, so that only the last
// two sums round at the magnitude of the result.
Value* CombineF32(FloatLanes& l, Value* f, Value* e) {
  Value* f2 = l.Mul(f, f);
  Value* p = l.PolynomialByHalves(f, kLogF32);
  Value* f3 = l.Mul(f2, f);
  Value* y =
      e == nullptr ? l.Mul(p, f3) : l.Fma(p, f3, l.Mul(e, l.C(0x1.7f7d1cp-20)));
  y = l.Add(f, l.Fma(l.C(-0.5), f2, y));
  return e == nullptr ? y : l.Fma(e, l.C(0x1.62e4p-1), y);
}

Value* CombineF64(FloatLanes& l, Value* f, Value* e) {
  Value* s = l.Div(f, l.Add(f, l.C(2)));
  Value* s2 = l.Mul(s, s);
  Value* half_f2 = l.Mul(l.Mul(l.C(0.5), f), f);
  Value* sum = l.Fma(s2, l.PolynomialByHalves(s2, kLogF64), half_f2);
  Value* y = e == nullptr ? l.Mul(s, sum)
                          : l.Fma(s, sum, l.Mul(e, l.C(0x1.a39ef35793c76p-33)));
  y = l.Sub(f, l.Sub(half_f2, y));
  return e == nullptr ? y : l.Fma(e, l.C(0x1.62e42feep-1), y);
}

// x = 2^e m, root <= m < 2 root.
struct Scaled {
  Value* m;
  Value* above;     // the distance of x from `root` in bits
  Value* fraction;  // that of m
};

Scaled Scale(FloatLanes& l, Value* x, uint64_t root) {
  llvm::IRBuilderBase& b = l.b();
  // The distance has the exponent e.
  Value* above = b.CreateSub(l.Bits(x), l.I(root));
  Value* fraction = b.CreateAnd(above, l.I(0x7fffffu, 0xfffffffffffffu));
  return {l.FromBits(b.CreateAdd(fraction, l.I(root))), above, fraction};
}

// e + 1024 of doubles.
Value* BiasedExponent(FloatLanes& l, const Scaled& parts) {
  llvm::IRBuilderBase& b = l.b();
  return b.CreateLShr(b.CreateAdd(parts.above, l.I(uint64_t{1024} << 52)),
                      l.I(52));
}

// e. Few targets convert 64-bit integers to floating point. Instead, put e +
// 1024, which is positive, into the low bits of 2^52.
Value* ExponentOf(FloatLanes& l, Value* biased) {
  Value* bits = l.b().CreateOr(biased, l.I(0x4330000000000000u));
  return l.Sub(l.FromBits(bits), l.C(0x1p52 + 1024));
}

// Makes denormal numbers normal ones; returns what that adds to exponents.
Value* ScaleDenormals(FloatLanes& l, Value*& x) {
  Value* tiny = l.Lt(x, l.SmallestNormal());
  Value* none = l.C(0);
  Value* shift = l.C(-23, -52);
  Value* factor = l.C(0x1p23, 0x1p52);
  if (l.lanes() == 0) {
    // A branch keeps the comparison out of the chain of operations.
    RareBranch branch(l.b(), tiny);
    Value* scaled = l.Mul(x, factor);
    x = branch.Join(x, scaled);
    shift = branch.Join(none, shift);
    branch.Finish();
    return shift;
  }
  x = l.Select(tiny, l.Mul(x, factor), x);
  return l.Select(tiny, shift, none);
}

// log(1 + f) + e ln 2; a null e is 0.
Value* Combine(FloatLanes& l, Value* f, Value* e) {
  return l.is_double() ? CombineF64(l, f, e) : CombineF32(l, f, e);
}

// log(x) of any positive finite double, with AVX-512.
Value* LogByPieces(FloatLanes& l, Value* x) {
  const LogPieces parts = SplitLogPiecesOfAny(l, x);
  const HiLo ln2 = Ln2InTwoParts(l);
  Value* whole = l.Fma(parts.e, ln2.hi, parts.log_c.hi);
  Value* low = l.Fma(parts.e, ln2.lo, parts.log_c.lo);
  const HiLo sum = l.FastTwoSum(whole, parts.exact_r.hi);
  low = l.Add(low, l.Add(parts.exact_r.lo, sum.lo));
  Value* r = parts.r;
  Value* r2 = l.Mul(r, r);
  Value* p = l.PolynomialByHalves(r, kLogPieceF64);
  Value* y = l.Fma(l.Mul(r2, r), p, l.Fma(l.C(-0.5), r2, low));
  return l.Add(sum.hi, y);
}

// Replaces y by log's value at NaN, infinity, zeros and negative numbers.
Value* FixSpecials(FloatLanes& l, Value* x, Value* y) {
  const auto fixed = [&] {
    Value* positive = l.Select(l.Lt(x, l.Inf()), y, x);
    Value* other = l.Select(l.Eq(x, l.C(0)), l.Neg(l.Inf()), l.NaN());
    return l.Select(l.Gt(x, l.C(0)), positive, other);
  };
  if (l.lanes() != 0) return fixed();
  Value* ordinary = l.b().CreateAnd(l.Gt(x, l.C(0)), l.Lt(x, l.Inf()));
  return Unless(l.b(), l.b().CreateNot(ordinary), y, fixed);
}

}  // namespace

LogParts SplitLog(FloatLanes& l, Value* x) {
  const Scaled parts =
      Scale(l, x, l.is_double() ? 0x3fe6a09e667f3bcdu : uint64_t{0x3f3504f3u});
  Value* f = l.Sub(parts.m, l.C(1));
  if (!l.is_double()) {
    Value* e = l.b().CreateAShr(parts.above, l.I(23));
    return {f, l.b().CreateSIToFP(e, l.type()), e};
  }
  Value* biased = BiasedExponent(l, parts);
  return {f, ExponentOf(l, biased), biased};
}

LogParts SplitLogOfAny(FloatLanes& l, Value* x) {
  Value* shift = ScaleDenormals(l, x);
  LogParts parts = SplitLog(l, x);
  parts.e = l.Add(parts.e, shift);
  return parts;
}

LogPieces SplitLogPieces(FloatLanes& l, Value* x) {
  const Scaled parts = Scale(l, x, kLogPieceRoot);
  Value* piece = l.b().CreateLShr(parts.fraction, l.I(48));
  Value* c = LookUpByInstruction(l, kLogPieceInverses, piece);
  const HiLo product = l.TwoProduct(parts.m, c);
  const HiLo exact_r = {l.Sub(product.hi, l.C(1)), product.lo};
  return {l.Fma(parts.m, c, l.C(-1)),
          exact_r,
          ExponentOf(l, BiasedExponent(l, parts)),
          {LookUpByInstruction(l, kLogPieceHighs, piece),
           LookUpByInstruction(l, kLogPieceLows, piece)}};
}

LogPieces SplitLogPiecesOfAny(FloatLanes& l, Value* x) {
  Value* shift = ScaleDenormals(l, x);
  LogPieces parts = SplitLogPieces(l, x);
  parts.e = l.Add(parts.e, shift);
  return parts;
}

HiLo Ln2InTwoParts(FloatLanes& l) {
  return {l.C(0x1.62e42fefa38p-1), l.C(0x1.ef35793c7673p-45)};
}

Value* MathBuilder::Log(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Log, x);
  FloatLanes l(builder_, options_, x->getType());
  if (l.is_double() && options_.has_avx512) {
    return FixSpecials(l, x, LogByPieces(l, x));
  }
  const LogParts parts = SplitLogOfAny(l, x);
  return FixSpecials(l, x, Combine(l, parts.f, parts.e));
}

Value* MathBuilder::Log2(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Log2, x);
  FloatLanes l(builder_, options_, x->getType());
  const LogParts parts = SplitLogOfAny(l, x);
  Value* y = Combine(l, parts.f, nullptr);
  return FixSpecials(l, x, l.Fma(y, l.C(kLog2E), parts.e));
}

Value* MathBuilder::Log1p(Value* x) {
  if (UsesDouble(x)) return ThroughDouble(&MathBuilder::Log1p, x);
  FloatLanes l(builder_, options_, x->getType());
  llvm::IRBuilderBase& b = l.b();
  // e is the exponent of the rounded 1 + x. f = (1 + x) / 2^e - 1 is computed
  // from x itself, so that it is rounded only once. 4 / 2^e is a normal number.
  const LogParts sum = SplitLog(l, l.Add(x, l.C(1)));
  const uint64_t bias = l.exponent_bias() + 2 + (l.is_double() ? 1024 : 0);
  Value* exponent = b.CreateSub(l.I(bias), sum.e_bits);
  Value* scale = l.FromBits(b.CreateShl(exponent, l.I(l.mantissa_bits())));
  Value* one_part = l.Fma(scale, l.C(0.25), l.C(-1));
  Value* f = l.Fma(l.Mul(x, l.C(0.25)), scale, one_part);
  Value* y = Combine(l, f, sum.e);
  y = l.Select(l.Lt(x, l.Inf()), y, x);
  Value* other = l.Select(l.Eq(x, l.C(-1)), l.Neg(l.Inf()), l.NaN());
  y = l.Select(l.Gt(x, l.C(-1)), y, other);
  // A quarter of a denormal would lose bits, and -0 would lose its sign.
  return l.Select(l.Lt(l.Abs(x), l.C(0x1p-60, 0x1p-100)), x, y);
}

}  // namespace xla::cpu
