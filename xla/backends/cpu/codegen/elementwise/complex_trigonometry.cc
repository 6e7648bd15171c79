// Circular and hyperbolic functions of complex numbers, and their inverses.
#include <cfloat>
#include <cmath>

#include "xla/backends/cpu/codegen/elementwise/complex_math.h"

namespace xla::cpu {
namespace {

constexpr double kHalfPi = 1.5707963267948966;

// -i z and i z.
Complex TurnRight(Complex z) { return {z.im, -z.re}; }
Complex TurnLeft(Complex z) { return {-z.im, z.re}; }

}  // namespace

ComplexMath::Hyperbolic ComplexMath::SinhCosh(Real x) {
  Hyperbolic result = {Of(&MathBuilder::Sinh, x), Of(&MathBuilder::Cosh, x),
                       x.Number(1)};
  if (is_narrow_) return result;
  // The hyperbolic functions overflow before their products with sines do.
  constexpr double kStep = 700;
  const Real size = cpu::Abs(x);
  const Truth large = size > kStep;
  const Real half = Of(&MathBuilder::Exp, size - kStep) * 0.5;
  return {Select(large, CopySign(half, x), result.sinh),
          Select(large, half, result.cosh),
          Select(large, x.Number(std::exp(kStep)), result.rest)};
}

Complex ComplexMath::Sinh(Complex z) {
  const auto [sinh, cosh, rest] = SinhCosh(z.re);
  Real re = sinh * Of(&MathBuilder::Cos, z.im);
  Real im = cosh * Of(&MathBuilder::Sin, z.im);
  Real real = sinh;
  if (!is_narrow_) {
    re = re * rest;
    im = im * rest;
    real = real * rest;
  }
  const Truth is_real = z.im == 0;
  // Real numbers stay real and imaginary ones imaginary, whatever the other
  // part is; infinity without a direction stays infinite.
  const Truth lost = IsInfinite(z.re) & !IsFinite(z.im);
  re = Select(is_real, real, re);
  re = Select(lost, z.re.Infinity(), re);
  return {Select(z.re == 0, z.re, re), Select(is_real, z.im, im)};
}

Complex ComplexMath::Cosh(Complex z) {
  const auto [sinh, cosh, rest] = SinhCosh(z.re);
  const Real sine = Of(&MathBuilder::Sin, z.im);
  Real re = cosh * Of(&MathBuilder::Cos, z.im);
  Real im = sinh * sine;
  Real real = cosh;
  if (!is_narrow_) {
    re = re * rest;
    im = im * rest;
    real = real * rest;
  }
  const Truth is_real = z.im == 0;
  const Truth lost = IsInfinite(z.re) & !IsFinite(z.im);
  const Real zero = z.re.Number(0);
  // The sign of a product of zeros, or of a product with NaN.
  const Real signed_zero = CopySign(zero, z.re) * CopySign(zero + 1, z.im);
  re = Select(is_real, real, re);
  re = Select(lost, z.re.Infinity(), re);
  return {re, Select(is_real | (z.re == 0), signed_zero, im)};
}

// Re = sinh x cosh x / d, im = sin y cos y / d, where d = sinh^2 x + cos^2 y.
Complex ComplexMath::Tanh(Complex z) {
  constexpr double kLimit = 350;  // e^2x does not overflow
  const Real size = cpu::Abs(z.re);
  const Truth large = size > kLimit;
  const Real x = CopySign(Select(large, size.Number(kLimit), size), z.re);
  const Real sinh = Of(&MathBuilder::Sinh, x);
  const Real cosh = Of(&MathBuilder::Cosh, x);
  const Real sine = Of(&MathBuilder::Sin, z.im);
  const Real cosine = Of(&MathBuilder::Cos, z.im);
  const Real d = sinh * sinh + cosine * cosine;
  Complex result = {sinh * cosh / d, sine * cosine / d};
  const Real one = CopySign(size.Number(1), z.re);
  if (!is_narrow_) {
    const Real decay = Of(&MathBuilder::Exp, -size);
    result.im = Select(large, 4 * sine * cosine * decay * decay, result.im);
  }
  const Truth infinite = IsInfinite(z.re);
  result.re = Select(infinite | (large & IsFinite(z.im)), one, result.re);
  const Real zero = size.Number(0);
  const Real direction = Select(IsFinite(z.im), sine * cosine, z.im);
  result.im = Select(infinite, CopySign(zero, direction), result.im);
  const Truth is_real = z.im == 0;
  result.im = Select(is_real, z.im, result.im);
  result.re = Select(z.re == 0, z.re, result.re);
  return result;
}

Complex ComplexMath::Sin(Complex z) { return TurnLeft(Sinh(TurnRight(z))); }
Complex ComplexMath::Cos(Complex z) { return Cosh(TurnLeft(z)); }
Complex ComplexMath::Tan(Complex z) { return TurnRight(Tanh(TurnLeft(z))); }

ComplexMath::Roots ComplexMath::RootsAround(Complex z) {
  return {SqrtOfSignedZero({1 - z.re, -z.im}),
          SqrtOfSignedZero({1 + z.re, z.im})};
}

namespace {

// The direction of an infinite z: 1 for infinite parts, 0 for finite ones, NaN
// for NaN, with their signs.
Complex Direction(Complex z) {
  auto part = [](Real x) {
    return Select(IsInfinite(x), CopySign(x.Number(1), x), x * 0.0);
  };
  return {part(z.re), part(z.im)};
}

}  // namespace

// Source: Kahan, "Branch Cuts for Complex Elementary Functions".
Complex ComplexMath::Asin(Complex z) {
  z.im = z.im + 0.0;
  const auto [minus, plus] = RootsAround(z);
  const Truth infinite = IsInfinite(z.re) | IsInfinite(z.im);
  const Complex far = Direction(z);
  const Real adjacent = minus.re * plus.re - minus.im * plus.im;
  Real re = RealAtan2(Select(infinite, far.re, z.re),
                      Select(infinite, cpu::Abs(far.im), adjacent));
  re = Select(z.re == 0, z.re, re);
  const Real im =
      Of(&MathBuilder::Asinh, minus.re * plus.im - minus.im * plus.re);
  return {re, Select(infinite, CopySign(z.re.Infinity(), z.im), im)};
}

Complex ComplexMath::Acos(Complex z) {
  z.im = z.im + 0.0;
  const auto [minus, plus] = RootsAround(z);
  const Truth infinite = IsInfinite(z.re) | IsInfinite(z.im);
  const Complex far = Direction(z);
  Real re = RealAtan2(Select(infinite, cpu::Abs(far.im), minus.re),
                      Select(infinite, far.re, plus.re));
  re = Select(infinite, re, re + re);
  re = Select(z.re == 0, z.re.Number(kHalfPi), re);
  const Real im =
      Of(&MathBuilder::Asinh, plus.re * minus.im - plus.im * minus.re);
  return {re, Select(infinite, CopySign(z.re.Infinity(), -z.im), im)};
}

Complex ComplexMath::Asinh(Complex z) { return TurnRight(Asin(TurnLeft(z))); }

Complex ComplexMath::Acosh(Complex z) {
  z.im = z.im + 0.0;
  const Complex acos = Acos(z);
  return {cpu::Abs(acos.im), CopySign(acos.re, z.im)};
}

Complex ComplexMath::Atanh(Complex z) {
  const Real x = cpu::Abs(z.re), y = z.im;
  const Real zero = x.Number(0);
  const Real gap = 1 - x;
  Real re = Of(&MathBuilder::Log1p, 4 * x / (gap * gap + y * y)) * 0.25;
  Real im = RealAtan2(y + y, gap * (1 + x) - y * y) * 0.5;
  const Real quarter = CopySign(x.Number(kHalfPi), y);
  if (!is_narrow_) {
    // Far from 0, where squares would overflow, the result is close to 1 / z.
    constexpr double kFar = 16 / DBL_EPSILON;
    const Truth far = (x > kFar) | (cpu::Abs(y) > kFar);
    const Truth is_nan = IsNan(x) | IsNan(y);
    const Real half_size = Hypot(x * 0.5, y * 0.5);
    re = Select(far, x / half_size / half_size * 0.25, re);
    im = Select(far & !is_nan, quarter, im);
    const Truth at_one = (x == 1) & (cpu::Abs(y) < DBL_EPSILON * DBL_EPSILON);
    const Real close =
        (std::log(2.0) - Of(&MathBuilder::Log, cpu::Abs(y))) * 0.5;
    re = Select(at_one, close, re);
  }
  const Truth y_infinite = IsInfinite(y);
  const Truth infinite = IsInfinite(x) | y_infinite;
  re = Select(infinite, zero, re);
  im = Select(infinite, Select(IsNan(y), y, quarter), im);
  re = Select(IsNan(x) & !y_infinite, x, re);
  re = Select(x == 0, zero, re);
  return {CopySign(re, z.re), im};
}

Complex ComplexMath::Atan2(Complex y, Complex x) {
  const Real zero = x.re.Number(0), one = x.re.Number(1);
  const Complex size = SqrtOfSignedZero(x * x + y * y);
  const Complex log = Log(Divide(x + Complex{zero, one} * y, size));
  return {log.im, -log.re};
}

}  // namespace xla::cpu
