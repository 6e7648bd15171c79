// Moduli, quotients, square roots, exponentials and logarithms.
#include <cfloat>
#include <cmath>

#include "xla/backends/cpu/codegen/elementwise/complex_math.h"

namespace xla::cpu {

Real ComplexMath::Of(Function function, Real x) {
  MathBuilder math = MathFor(context_);
  return {x.b, (math.*function)(x.v)};
}

Real ComplexMath::RealAtan2(Real y, Real x) {
  return {x.b, MathFor(context_).Atan2(y.v, x.v)};
}

namespace {

// A power of two, 2^k, with k near minus the exponent of `x`, and even if
// `even`, so that the square of x times it is in range. If `even`, also
// 2^(-k/2), with which a square root undoes the scaling.
struct Scale {
  Real factor;
  Real root_of_inverse;
};

Scale ScaleFor(Real x, bool even) {
  llvm::IRBuilder<>& b = *x.b;
  llvm::Value* bits = b.CreateBitCast(x.v, IntLike(b, x.v, 64));
  llvm::Value* field = b.CreateSub(Const(bits, 2046), b.CreateLShr(bits, 52));
  // Keeps the scale finite and nonzero for all exponents, also those of
  // infinities.
  field = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, field, Const(bits, 1));
  if (even) field = b.CreateOr(field, Const(bits, 1));
  field =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, field, Const(bits, 2045));
  auto power = [&](llvm::Value* exponent) {
    return Real{x.b,
                b.CreateBitCast(b.CreateShl(exponent, 52), x.v->getType())};
  };
  if (!even) return {power(field), {}};
  llvm::Value* half = b.CreateLShr(b.CreateSub(Const(bits, 3069), field), 1);
  return {power(field), power(half)};
}

Real Larger(Real x, Real y) { return Select(x < y, y, x); }

}  // namespace

Real ComplexMath::Hypot(Real x, Real y) {
  x = cpu::Abs(x);
  y = cpu::Abs(y);
  Real size;
  if (is_narrow_) {
    size = SquareRoot(x * x + y * y);
  } else {
    const Real scale = ScaleFor(Larger(x, y), /*even=*/false).factor;
    const Real u = x * scale, v = y * scale;
    size = SquareRoot(u * u + v * v) / scale;
  }
  // The modulus is infinite if either part is, even if the other is NaN.
  return Select(IsInfinite(x) | IsInfinite(y), x.Infinity(), size);
}

Real ComplexMath::Abs(Complex z) { return Hypot(z.re, z.im); }

Complex ComplexMath::Sign(Complex z) {
  const Real size = Abs(z);
  return Select(size == 0, z, {z.re / size, z.im / size});
}

namespace {

// Applies C's rules to quotients x / y that came out as NaN in both parts.
Complex RecoverQuotient(Complex x, Complex y, Complex quotient) {
  const Real zero = x.re.Number(0), one = x.re.Number(1);
  const Real infinity = x.re.Infinity();
  // 1 for infinite parts and 0 for finite ones, with the signs of z.
  auto unit = [&](Complex z) {
    return Complex{CopySign(Select(IsInfinite(z.re), one, zero), z.re),
                   CopySign(Select(IsInfinite(z.im), one, zero), z.im)};
  };
  auto times_conjugate = [](Complex a, Complex b, Real factor) {
    return Complex{factor * (a.re * b.re + a.im * b.im),
                   factor * (a.im * b.re - a.re * b.im)};
  };
  const Truth x_infinite = IsInfinite(x.re) | IsInfinite(x.im);
  const Truth y_infinite = IsInfinite(y.re) | IsInfinite(y.im);
  const Truth x_finite = IsFinite(x.re) & IsFinite(x.im);
  const Truth y_finite = IsFinite(y.re) & IsFinite(y.im);
  Complex result = Select(y_infinite & x_finite,
                          times_conjugate(x, unit(y), zero), quotient);
  result = Select(x_infinite & y_finite, times_conjugate(unit(x), y, infinity),
                  result);
  const Real pole = CopySign(infinity, y.re);
  result = Select((y.re == 0) & (y.im == 0) & !(IsNan(x.re) & IsNan(x.im)),
                  {pole * x.re, pole * x.im}, result);
  return Select(IsNan(quotient.re) & IsNan(quotient.im), result, quotient);
}

// Scales both operands by one power of 2 that keeps the intermediate results
// in range. Source: Baudin and Smith, as in GCC's __divdc3.
void ScaleQuotient(Complex& x, Complex& y, Real large) {
  constexpr double kBig = DBL_MAX / 2;
  const Real size = Abs(large);
  const Truth small_part =
      ((Abs(x.re) < DBL_MIN) & (Abs(x.im) < kBig * DBL_EPSILON)) |
      ((Abs(x.im) < DBL_MIN) & (Abs(x.re) < kBig * DBL_EPSILON));
  const Truth up =
      (size < DBL_EPSILON) | (small_part & (size < kBig * DBL_EPSILON));
  Real scale = Select(up, size.Number(1 / DBL_EPSILON), size.Number(1));
  scale = Select(size < kBig, scale, size.Number(0.5));
  x = {x.re * scale, x.im * scale};
  y = {y.re * scale, y.im * scale};
}

}  // namespace

Complex ComplexMath::Divide(Complex x, Complex y) {
  const Truth swap = cpu::Abs(y.re) < cpu::Abs(y.im);
  Complex n = x, d = y;
  if (!is_narrow_) ScaleQuotient(n, d, Select(swap, d.im, d.re));
  const Real large = Select(swap, d.im, d.re);
  const Real small = Select(swap, d.re, d.im);
  const Real first = Select(swap, n.im, n.re);
  const Real second = Select(swap, n.re, n.im);
  const Real ratio = small / large;
  const Real size = small * ratio + large;
  Real second_part = second * ratio;
  Real first_part = first * ratio;
  if (!is_narrow_) {
    // Divides in another order if the ratio is subnormal and therefore
    // imprecise.
    const Truth precise = cpu::Abs(ratio) > DBL_MIN;
    second_part = Select(precise, second_part, small * (second / large));
    first_part = Select(precise, first_part, small * (first / large));
  }
  const Complex quotient = {
      (second_part + first) / size,
      (Select(swap, first_part, second) - Select(swap, second, first_part)) /
          size};
  return RecoverQuotient(n, d, quotient);
}

Complex ComplexMath::SqrtOfSignedZero(Complex z) {
  const Real zero = z.re.Number(0);
  Real x = cpu::Abs(z.re), y = cpu::Abs(z.im);
  Scale scale = {z.re.Number(1), z.re.Number(1)};
  if (!is_narrow_) {
    scale = ScaleFor(Larger(x, y), /*even=*/true);
    x = x * scale.factor;
    y = y * scale.factor;
  }
  const Real root = SquareRoot((x + SquareRoot(x * x + y * y)) * 0.5);
  const Real large = is_narrow_ ? root : root * scale.root_of_inverse;
  const Real small = Select(large == 0, zero, cpu::Abs(z.im) / (large + large));
  const Truth left = z.re < 0;
  Complex result = {Select(left, small, large),
                    CopySign(Select(left, large, small), z.im)};
  // (+inf, y) and (-inf, y) with finite y, then (x, inf) with any x.
  const Truth x_infinite = IsInfinite(z.re);
  const Real infinity = z.re.Infinity();
  const Real y_or_zero = Select(IsNan(z.im), z.im, zero);
  result = Select(
      x_infinite,
      {Select(left, y_or_zero, infinity),
       Select(left, CopySign(infinity, z.im), CopySign(y_or_zero, z.im))},
      result);
  return Select(IsInfinite(z.im), {infinity, z.im}, result);
}

Complex ComplexMath::Sqrt(Complex z) {
  return SqrtOfSignedZero({z.re, z.im + 0.0});
}

Complex ComplexMath::Rsqrt(Complex z) {
  const Real zero = z.re.Number(0);
  Complex result = Divide({z.re.Number(1), zero}, SqrtOfSignedZero(z));
  result = Select(IsInfinite(z.re) | IsInfinite(z.im),
                  {zero, CopySign(zero, -z.im)}, result);
  return Select((z.re == 0) & (z.im == 0), {z.re.Infinity(), z.re.Nan()},
                result);
}

Complex ComplexMath::Exp(Complex z) {
  // e^x may overflow although its product with a sine does not.
  constexpr double kStep = 700;
  Real x = z.re, rest = z.re.Number(1);
  if (!is_narrow_) {
    const Truth large = x > kStep;
    rest = Select(large, x.Number(std::exp(kStep)), rest);
    x = Select(large, x - kStep, x);
  }
  const Real size = Of(&MathBuilder::Exp, x);
  Complex result = {size * Of(&MathBuilder::Cos, z.im),
                    size * Of(&MathBuilder::Sin, z.im)};
  if (!is_narrow_) result = {result.re * rest, result.im * rest};
  // Special cases: real numbers, and an infinite real part without a direction.
  const Truth is_real = z.im == 0;
  const Real real = is_narrow_ ? size : size * rest;
  const Truth lost = IsInfinite(z.re) & !IsFinite(z.im);
  const Truth vanishes = lost & (z.re < 0);
  const Real zero = z.re.Number(0);
  result.re = Select(is_real | lost, real, result.re);
  result.im = Select(is_real, z.im, result.im);
  result.im = Select(vanishes, CopySign(zero, z.im), result.im);
  return result;
}

Complex ComplexMath::Expm1(Complex z) {
  const Real half_sine = Of(&MathBuilder::Sin, z.im * 0.5);
  const Real cosine = Of(&MathBuilder::Cos, z.im);
  const Real sine = Of(&MathBuilder::Sin, z.im);
  const Real less_one = Of(&MathBuilder::Expm1, z.re);
  // e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2(y / 2), which has no cancellation
  // at 0.
  const Real re = less_one * cosine - 2 * half_sine * half_sine;
  const Real im = Of(&MathBuilder::Exp, z.re) * sine;
  const Truth is_real = z.im == 0;
  return {Select(is_real, less_one, re), Select(is_real, z.im, im)};
}

ComplexMath::Pair ComplexMath::ExactProduct(Real x, Real y) {
  const Real high = x * y;
  if (context_.target.has_fma) {
    return {high,
            {x.b, x.b->CreateIntrinsic(llvm::Intrinsic::fma, {x.v->getType()},
                                       {x.v, y.v, (-high).v})}};
  }
  // Veltkamp's splitting into halves of 26 bits, then Dekker's product.
  constexpr double kSplit = 134217729;  // 2^27 + 1
  auto upper = [&](Real a) {
    const Real t = a * kSplit;
    return t - (t - a);
  };
  const Real xh = upper(x), yh = upper(y);
  const Real xl = x - xh, yl = y - yh;
  return {high, ((xh * yh - high) + xh * yl + xl * yh) + xl * yl};
}

Real ComplexMath::SquaresPlus(Real c, Real x, Real y) {
  auto sum = [](Real a, Real b) {
    const Real s = a + b;
    const Real t = s - a;
    return Pair{s, (a - (s - t)) + (b - t)};
  };
  Pair xx = {x * x, x.Number(0)}, yy = {y * y, x.Number(0)};
  if (!is_narrow_) {  // in f32, squares are exact in double
    xx = ExactProduct(x, x);
    yy = ExactProduct(y, y);
  }
  const Pair first = sum(c, xx.high);
  const Pair second = sum(first.high, yy.high);
  return second.high + ((first.low + second.low) + (xx.low + yy.low));
}

Real ComplexMath::LogNearOne(Real excess, Real x) {
  const Truth near = cpu::Abs(excess) < 0.5;
  const Real rounded = 1 + excess;
  const Real lost = (excess - (rounded - 1.0)) / rounded;
  return Of(&MathBuilder::Log, Select(near, rounded, x)) +
         Select(near, lost, x.Number(0));
}

Complex ComplexMath::Log(Complex z) {
  const Real x = cpu::Abs(z.re), y = cpu::Abs(z.im);
  const Real im = RealAtan2(z.im, z.re);
  const Real large = Larger(x, y);
  const Real small = Select(x < y, x, y);
  const Truth infinite = IsInfinite(x) | IsInfinite(y);
  // Near 1 the logarithm is computed from the difference.
  const Real excess = SquaresPlus(x.Number(-1), large, small);
  Real re;
  if (is_narrow_) {
    re = LogNearOne(excess, x * x + y * y) * 0.5;
  } else {
    const Truth near = cpu::Abs(excess) < 0.5;
    Real ratio = small / large;
    ratio = Select(large == 0, x.Number(0), ratio);
    const Real scaled =
        Of(&MathBuilder::Log1p, Select(near, excess, ratio * ratio)) * 0.5;
    re = Select(near, scaled, Of(&MathBuilder::Log, large) + scaled);
  }
  // A comparison with NaN may have dropped the NaN.
  re = Select(IsNan(x) | IsNan(y), x.Nan(), re);
  return {Select(infinite, x.Infinity(), re), im};
}

Complex ComplexMath::Log1p(Complex z) {
  const Real x = z.re, y = z.im;
  const Real shifted = 1 + x;
  const Real im = RealAtan2(y, shifted);
  // |1 + z|^2 - 1 = 2 x + x^2 + y^2, whose terms cancel near the unit circle
  // around -1.
  const Real excess = SquaresPlus(x + x, x, y);
  Real re = LogNearOne(excess, shifted * shifted + y * y) * 0.5;
  if (!is_narrow_) {
    const Real size = cpu::Abs(x) + cpu::Abs(y);
    const Truth usual = (size < 1e100) & (cpu::Abs(excess + 1.0) > 1e-100);
    re = Select(usual, re, Of(&MathBuilder::Log, Hypot(shifted, y)));
  }
  const Truth infinite = IsInfinite(x) | IsInfinite(y);
  return {Select(infinite, x.Infinity(), re), im};
}

Complex ComplexMath::Logistic(Complex z) {
  const Complex e = Exp(-z);
  const Complex one = {z.re.Number(1), z.re.Number(0)};
  return Divide(one, {1 + e.re, e.im});
}

Complex ComplexMath::Power(Complex base, Complex exponent) {
  const Real zero = base.re.Number(0), one = base.re.Number(1);
  Complex result = Exp(exponent * Log(base));
  const Truth real_exponent = exponent.im == 0;
  result = Select(
      (base.re == 0) & (base.im == 0) & real_exponent & (exponent.re > 0),
      {zero, zero}, result);
  // Of real numbers one of which is infinite it is real: 1^inf is 1.
  const Truth infinite =
      (base.im == 0) & real_exponent & !(base.re < 0.0) &
      !IsNan(base.re) & !IsNan(exponent.re) &
      (IsInfinite(base.re) | IsInfinite(exponent.re));
  const Truth large = base.re > 1, positive = exponent.re > 0;
  const Real limit = Select((large & positive) | ((!large) & (!positive)),
                            base.re.Infinity(), zero);
  result = Select(infinite, {Select(base.re == 1, one, limit), zero}, result);
  return Select((exponent.re == 0) & real_exponent, {one, zero}, result);
}

}  // namespace xla::cpu
