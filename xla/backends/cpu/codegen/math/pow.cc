// pow(x, y) = exp(y log|x|), signed. f32 goes through f64, whose precision
// leaves nothing to correct; f64 carries log|x| and the product in two parts.
#include "xla/backends/cpu/codegen/math/exp_parts.h"
#include "xla/backends/cpu/codegen/math/log_parts.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/pow_table.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// 2^(y log2(a)) for f64 lanes that hold f32 values, with slightly more than f32
// precision. Beyond the range of f32 the result is a number that f32 rounds to
// infinity or 0. Requires a >= 0 or NaN, and |y| finite or NaN.
Value* PowOfFloats(FloatLanes& l, Value* a, Value* y) {
  const LogParts parts = SplitLog(l, a);
  Value* log2 =
      l.Fma(l.PolynomialByHalves(parts.f, kPowFloatLog2), parts.f, parts.e);
  // Infinity and NaN are their own logarithms. What replaces a number is chosen
  // beside the long chain of operations, which it enters late.
  Value* ordinary = l.b().CreateAnd(l.Lt(a, l.Inf()), l.Gt(a, l.C(0)));
  Value* special = l.Select(l.Eq(a, l.C(0)), l.Neg(l.Inf()), a);
  Value* p = l.Mul(y, l.Select(ordinary, log2, special));
  Value* limit = l.Select(l.Lt(p, l.C(0)), l.C(0x1p-300), l.C(0x1p300));
  Value* beyond = l.Ge(l.Abs(p), l.C(300));
  Value* shifted = l.Add(p, l.C(l.Magic()));
  Value* fraction = l.Sub(p, l.Sub(shifted, l.C(l.Magic())));
  Value* scale = l.PowerOfTwo(l.Bits(shifted), 0);
  Value* power = l.Mul(l.PolynomialByHalves(fraction, kPowFloatExp2), scale);
  return l.Select(beyond, limit, power);
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

// log(a) to about 68 bits for positive finite a: e ln 2 + 2 atanh(s) with
// s = f / (2 + f).
HiLo LogInTwoParts(FloatLanes& l, Value* a) {
  const LogParts parts = SplitLogOfAny(l, a);
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

  // ln 2 with 42 bits, so that e times it is exact, and the rest.
  Value* e_hi = l.Mul(parts.e, l.C(0x1.62e42fefa38p-1));
  HiLo sum = l.TwoSum(e_hi, log.hi);
  Value* low = l.Fma(parts.e, l.C(0x1.ef35793c7673p-45), log.lo);
  return l.FastTwoSum(sum.hi, l.Add(sum.lo, low));
}

// a^y for f64. Requires a >= 0 or NaN, and y finite or NaN.
Value* PowOfDoubles(FloatLanes& l, Value* a, Value* y) {
  const HiLo log = LogInTwoParts(l, a);
  // A larger |y| would not change the result: |log a| is 0 or at least 2^-53.
  Value* bounded = l.AtMost(l.AtLeast(y, l.C(-0x1p64)), l.C(0x1p64));
  HiLo p = l.TwoProduct(bounded, log.hi);
  p.lo = l.Fma(bounded, log.lo, p.lo);
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

}  // namespace

Value* MathBuilder::Pow(Value* x, Value* y) {
  FloatLanes l(builder_, options_, x->getType());
  Value* a = l.Abs(x);
  // Keep y finite: infinity times log(1) would be NaN.
  Value* largest = l.C(0x1.fffffep127, 0x1.fffffffffffffp1023);
  Value* bounded = l.AtMost(l.AtLeast(y, l.Neg(largest)), largest);
  Value* power;
  if (l.is_double()) {
    power = PowOfDoubles(l, a, bounded);
  } else {
    FloatLanes wide(builder_, options_, l.WithLanes(builder_.getDoubleTy()));
    power = PowOfFloats(wide, l.ToDouble(a), l.ToDouble(bounded));
    power = l.ToFloat(power);
  }
  // From 2^(mantissa_bits + 1) on, all numbers are even integers.
  Value* count = l.AtMost(l.Abs(y), l.C(0x1p24, 0x1p53));
  Value* half = l.Mul(count, l.C(0.5));
  Value* integral = l.Eq(RoundNearestEven(count), count);
  Value* uneven = builder_.CreateFCmpUNE(RoundNearestEven(half), half);
  Value* odd = builder_.CreateAnd(integral, uneven);
  Value* sign = l.Select(odd, l.SignBit(x), l.I(0));
  power = l.FlipSign(power, sign);
  // There is no real power of a negative finite base and a fractional exponent.
  Value* negative = builder_.CreateAnd(l.Lt(x, l.C(0)), l.Lt(a, l.Inf()));
  Value* fractional = builder_.CreateNot(integral);
  Value* undefined = builder_.CreateAnd(negative, fractional);
  power = l.Select(undefined, l.NaN(), power);
  // pow(1, y) and pow(x, 0) are 1 even if the other operand is NaN.
  Value* is_one = builder_.CreateOr(l.Eq(x, l.C(1)), l.Eq(y, l.C(0)));
  return l.Select(is_one, l.C(1), power);
}

}  // namespace xla::cpu
