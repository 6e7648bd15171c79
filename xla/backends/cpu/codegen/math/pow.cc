// pow(x, y) = exp(y log|x|), signed. f32 goes through f64, whose precision
// leaves nothing to correct; f64 carries log|x| and the product in two parts.
#include "xla/backends/cpu/codegen/math/exp_parts.h"
#include "xla/backends/cpu/codegen/math/log_parts.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/pow_table.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// y log2(a) of f64 lanes that hold f32 values, with slightly more than f32
// precision, as 2^p below. Requires positive finite a.
Value* TimesLog2OfFloats(FloatLanes& l, Value* y, Value* a) {
  const LogParts parts = SplitLog(l, a);
  return l.Fma(l.PolynomialByHalves(parts.f, kPowFloatLog2), l.Mul(y, parts.f),
               l.Mul(y, parts.e));
}

// 2^p for |p| < 300. Beyond the range of f32 the result is a number that f32
// rounds to infinity or 0.
Value* Exp2ToFloats(FloatLanes& l, Value* p) {
  Value* shifted = l.Add(p, l.C(l.Magic()));
  Value* fraction = l.Sub(p, l.Sub(shifted, l.C(l.Magic())));
  Value* scale = l.PowerOfTwo(l.Bits(shifted), 0);
  return l.Mul(l.PolynomialByHalves(fraction, kPowFloatExp2), scale);
}

// a^y for f64 lanes that hold f32 values. Requires a >= 0 or NaN, and y finite
// or NaN.
Value* PowOfFloats(FloatLanes& l, Value* a, Value* y) {
  // Infinity and NaN are their own logarithms.
  Value* ordinary = l.b().CreateAnd(l.Lt(a, l.Inf()), l.Gt(a, l.C(0)));
  Value* special = l.Select(l.Eq(a, l.C(0)), l.Neg(l.Inf()), a);
  Value* p = l.Select(ordinary, TimesLog2OfFloats(l, y, a), l.Mul(y, special));
  Value* limit = l.Select(l.Lt(p, l.C(0)), l.C(0x1p-300), l.C(0x1p300));
  Value* beyond = l.Ge(l.Abs(p), l.C(300));
  return l.Select(beyond, limit, Exp2ToFloats(l, p));
}

// 2/3 s^3 in two parts, s = hi + lo.
HiLo TwoThirdsOfCube(FloatLanes& l, HiLo s, HiLo s2) {
  const HiLo third = {l.C(0x1.5555555555555p-1), l.C(0x1.5555555555555p-55)};
  HiLo cube = l.TwoProduct(s.hi, s2.hi);
  Value* low = l.Fma(s.hi, s2.lo, l.Mul(s.lo, s2.hi));
  cube.lo = l.Add(cube.lo, low);
  HiLo result = l.TwoProduct(cube.hi, third.hi);
  low = l.Fma(cube.hi, third.lo, l.Mul(cube.lo, third.hi));
  result.lo = l.Add(result.lo, low);
  return result;
}

// log(a) to about 68 bits: e ln 2 + 2 atanh(s) with s = f / (2 + f).
HiLo LogBySeries(FloatLanes& l, const LogParts& parts) {
  Value* f = parts.f;
  const HiLo d = l.FastTwoSum(l.C(2), f);
  Value* inverse = l.Div(l.C(1), d.hi);
  Value* s_hi = l.Mul(f, inverse);
  const HiLo back = l.TwoProduct(s_hi, d.hi);
  Value* rest = l.Sub(l.Sub(f, back.hi), back.lo);
  rest = l.Sub(rest, l.Mul(s_hi, d.lo));
  const HiLo s = {s_hi, l.Mul(rest, inverse)};
  HiLo s2 = l.TwoProduct(s.hi, s.hi);
  s2.lo = l.Fma(l.Add(s.hi, s.hi), s.lo, s2.lo);

  const HiLo cube = TwoThirdsOfCube(l, s, s2);
  Value* s5 = l.Mul(l.Mul(s2.hi, s2.hi), s.hi);
  Value* tail = l.Fma(s5, l.PolynomialByHalves(s2.hi, kPowLog),
                      l.Add(cube.lo, l.Add(s.lo, s.lo)));
  HiLo log = l.FastTwoSum(l.Add(s.hi, s.hi), cube.hi);
  log.lo = l.Add(log.lo, tail);

  // e times the first part of ln 2 is exact.
  const HiLo ln2 = Ln2InTwoParts(l);
  HiLo sum = l.TwoSum(l.Mul(parts.e, ln2.hi), log.hi);
  Value* low = l.Fma(parts.e, ln2.lo, log.lo);
  return l.FastTwoSum(sum.hi, l.Add(sum.lo, low));
}

// The same with AVX-512: e ln 2 - log(c) + r - r^2/2 + r^3 p(r).
HiLo LogOfPieces(FloatLanes& l, const LogPieces& parts) {
  const HiLo ln2 = Ln2InTwoParts(l);
  const HiLo x = parts.exact_r;
  Value* whole = l.Fma(parts.e, ln2.hi, parts.log_c.hi);
  Value* low = l.Fma(parts.e, ln2.lo, parts.log_c.lo);
  const HiLo first = l.FastTwoSum(whole, x.hi);
  const HiLo square = l.TwoProduct(x.hi, l.Mul(l.C(-0.5), x.hi));
  const HiLo second = l.FastTwoSum(first.hi, square.hi);
  // The rest of r has the derivative of the logarithm, 1 - r, as its factor.
  Value* rest = l.Fma(l.Neg(x.hi), x.lo, x.lo);
  low = l.Add(l.Add(low, l.Add(first.lo, second.lo)), l.Add(square.lo, rest));
  Value* r = parts.r;
  Value* cube = l.Mul(l.Mul(r, r), r);
  low = l.Fma(cube, l.PolynomialByHalves(r, kPowLogPiece), low);
  return l.FastTwoSum(second.hi, low);
}

HiLo LogInTwoParts(FloatLanes& l, Value* a) {
  return l.options().has_avx512 ? LogOfPieces(l, SplitLogPiecesOfAny(l, a))
                                : LogBySeries(l, SplitLogOfAny(l, a));
}

// The same of a normal number.
HiLo LogOfNormalInTwoParts(FloatLanes& l, Value* a) {
  return l.options().has_avx512 ? LogOfPieces(l, SplitLogPieces(l, a))
                                : LogBySeries(l, SplitLog(l, a));
}

HiLo Times(FloatLanes& l, Value* y, HiLo log) {
  HiLo p = l.TwoProduct(y, log.hi);
  p.lo = l.Fma(y, log.lo, p.lo);
  return p;
}

// A larger |y| would not change a power: |log a| is 0 or at least 2^-53.
constexpr double kLargestExponent = 0x1p64;

// a^y for f64. Requires a >= 0 or NaN, and y finite or NaN.
Value* PowOfDoubles(FloatLanes& l, Value* a, Value* y) {
  Value* bounded =
      l.AtMost(l.AtLeast(y, l.C(-kLargestExponent)), l.C(kLargestExponent));
  HiLo p = Times(l, bounded, LogInTwoParts(l, a));
  Value* in_range = l.Lt(l.Abs(p.hi), l.C(1000));
  p.lo = l.Select(in_range, p.lo, l.C(0));
  p.hi = l.AtMost(l.AtLeast(p.hi, ExpLow(l)), ExpHigh(l));
  const ExpParts parts = ReduceExp(l, p.hi, ExpError::kOfExp, p.lo);
  Value* result = ScaleExp(l, parts, p.hi);
  // For a negative power 0 and infinity change places.
  Value* negative = l.Lt(y, l.C(0));
  Value* of_zero = l.Select(negative, l.Inf(), l.C(0));
  Value* of_inf = l.Select(negative, l.C(0), l.Inf());
  result = l.Select(l.Eq(a, l.C(0)), of_zero, result);
  result = l.Select(l.Eq(a, l.Inf()), of_inf, result);
  Value* unordered = l.b().CreateFCmpUNO(a, y);
  return l.Select(unordered, l.NaN(), result);
}

// x^y of numbers whose power is a normal number, and whether these are such.
struct OrdinaryPow {
  Value* power;
  Value* is_ordinary;
};

OrdinaryPow PowOfOrdinaryDoubles(FloatLanes& l, Value* x, Value* y) {
  const HiLo p = Times(l, y, LogOfNormalInTwoParts(l, x));
  const ExpParts parts = ReduceExp(l, p.hi, ExpError::kOfExp, p.lo);
  Value* scale = l.PowerOfTwo(parts.n_bits, 0);
  Value* normal =
      l.b().CreateAnd(l.Ge(x, l.SmallestNormal()), l.Lt(x, l.Inf()));
  if (!l.options().has_fma) {
    // TwoProduct may overflow with a larger one, even if the product is 0.
    normal = l.b().CreateAnd(normal, l.Lt(l.Abs(y), l.C(kLargestExponent)));
  }
  // An infinite or NaN y gives such a product.
  return {l.Fma(scale, parts.q, scale),
          l.b().CreateAnd(normal, l.Lt(l.Abs(p.hi), l.C(700)))};
}

OrdinaryPow PowOfOrdinaryFloats(FloatLanes& l, Value* x, Value* y) {
  Value* p = TimesLog2OfFloats(l, y, x);
  Value* positive = l.b().CreateAnd(l.Gt(x, l.C(0)), l.Lt(x, l.Inf()));
  return {Exp2ToFloats(l, p),
          l.b().CreateAnd(positive, l.Lt(l.Abs(p), l.C(300)))};
}

// pow of any numbers.
Value* PowOfAny(FloatLanes& l, MathBuilder& math, Value* x, Value* y) {
  llvm::IRBuilderBase& b = l.b();
  Value* a = l.Abs(x);
  // Keep y finite: infinity times log(1) would be NaN.
  Value* largest = l.C(0x1.fffffep127, 0x1.fffffffffffffp1023);
  Value* bounded = l.AtMost(l.AtLeast(y, l.Neg(largest)), largest);
  Value* power;
  if (l.is_double()) {
    power = PowOfDoubles(l, a, bounded);
  } else {
    FloatLanes wide(b, l.options(), l.WithLanes(b.getDoubleTy()));
    power = l.ToFloat(PowOfFloats(wide, l.ToDouble(a), l.ToDouble(bounded)));
  }
  // From 2^(mantissa_bits + 1) on, all numbers are even integers.
  Value* count = l.AtMost(l.Abs(y), l.C(0x1p24, 0x1p53));
  Value* half = l.Mul(count, l.C(0.5));
  Value* integral = l.Eq(math.RoundNearestEven(count), count);
  Value* uneven = b.CreateFCmpUNE(math.RoundNearestEven(half), half);
  Value* sign = l.Select(b.CreateAnd(integral, uneven), l.SignBit(x), l.I(0));
  power = l.FlipSign(power, sign);
  // There is no real power of a negative finite base and a fractional exponent.
  Value* negative = b.CreateAnd(l.Lt(x, l.C(0)), l.Lt(a, l.Inf()));
  Value* undefined = b.CreateAnd(negative, b.CreateNot(integral));
  power = l.Select(undefined, l.NaN(), power);
  // pow(1, y) and pow(x, 0) are 1 even if the other operand is NaN.
  Value* is_one = b.CreateOr(l.Eq(x, l.C(1)), l.Eq(y, l.C(0)));
  return l.Select(is_one, l.C(1), power);
}

// The same of scalars: what only unusual operands need is in a branch, which
// keeps it out of the chain of operations, and gives the same bits.
Value* PowOfScalars(FloatLanes& l, MathBuilder& math, Value* x, Value* y) {
  OrdinaryPow ordinary;
  if (l.is_double()) {
    ordinary = PowOfOrdinaryDoubles(l, x, y);
  } else {
    FloatLanes wide(l.b(), l.options(), l.b().getDoubleTy());
    ordinary = PowOfOrdinaryFloats(wide, l.ToDouble(x), l.ToDouble(y));
    ordinary.power = l.ToFloat(ordinary.power);
  }
  return Unless(l.b(), l.b().CreateNot(ordinary.is_ordinary), ordinary.power,
                [&] { return PowOfAny(l, math, x, y); });
}

}  // namespace

Value* MathBuilder::Pow(Value* x, Value* y) {
  FloatLanes l(builder_, options_, x->getType());
  return l.lanes() == 0 ? PowOfScalars(l, *this, x, y)
                        : PowOfAny(l, *this, x, y);
}

}  // namespace xla::cpu
