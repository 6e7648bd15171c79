// Complex functions whose c64 results, rounded from double, are nearly exact.
#include "xla/hlo/evaluator/elementwise/complex_math.h"

#include <cfloat>
#include <cmath>
#include <complex>
#include <limits>
#include <tuple>
#include <utility>

namespace xla {
namespace {

// Returns z with +0 for -0 in the imaginary part.
complex128 AboveCut(complex128 z) { return {z.real(), z.imag() + 0.0}; }

}  // namespace

complex128 ComplexMultiply(complex128 a, complex128 b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

// Smith's quotient with the scaling of Baudin and Smith ("A Robust Complex
// Division in Scilab", 2012) and the infinities of C's Annex G, as in GCC's
// library. Written out here because that library contracts products and sums on
// some processors.
complex128 ComplexDivide(complex128 x, complex128 y) {
  constexpr double kBig = DBL_MAX / 2;
  double a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  // Multiply both by -i, so that the divisor's real part is not the smaller
  // one.
  if (std::fabs(c) < std::fabs(d)) {
    std::tie(a, b) = std::pair(b, -a);
    std::tie(c, d) = std::pair(d, -c);
  }
  const auto scale = [&](double factor) {
    for (double* part : {&a, &b, &c, &d}) *part *= factor;
  };
  const auto is_tiny = [](double tiny, double other) {
    return std::fabs(tiny) < DBL_MIN && std::fabs(other) < kBig * DBL_EPSILON;
  };
  if (std::fabs(c) >= kBig) scale(0.5);
  if (std::fabs(c) < DBL_EPSILON ||
      (std::fabs(c) < kBig * DBL_EPSILON && (is_tiny(a, b) || is_tiny(b, a)))) {
    scale(1 / DBL_EPSILON);
  }
  const double ratio = d / c;
  const double size = d * ratio + c;
  // Multiply in another order if the ratio is subnormal and so imprecise.
  const bool precise = std::fabs(ratio) > DBL_MIN;
  const double b_part = precise ? b * ratio : d * (b / c);
  const double a_part = precise ? a * ratio : d * (a / c);
  const complex128 quotient = {(b_part + a) / size, (b - a_part) / size};
  if (!std::isnan(quotient.real()) || !std::isnan(quotient.imag())) {
    return quotient;
  }
  if (c == 0 && d == 0 && (!std::isnan(a) || !std::isnan(b))) {
    const double pole = std::copysign(HUGE_VAL, c);
    return {pole * a, pole * b};
  }
  // Replaces the part by 1 if it is infinite and 0 if not, with its sign.
  const auto unit = [](double& part) {
    part = std::copysign(std::isinf(part) ? 1.0 : 0.0, part);
  };
  const bool x_is_infinite = std::isinf(a) || std::isinf(b);
  const bool y_is_infinite = std::isinf(c) || std::isinf(d);
  double factor;
  if (x_is_infinite && std::isfinite(c) && std::isfinite(d)) {
    unit(a), unit(b);
    factor = HUGE_VAL;
  } else if (y_is_infinite && std::isfinite(a) && std::isfinite(b)) {
    unit(c), unit(d);
    factor = 0;
  } else {
    return quotient;
  }
  return {factor * (a * c + b * d), factor * (b * c - a * d)};
}

complex128 ComplexExpm1(complex128 z) {
  const double x = z.real(), y = z.imag();
  // e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2(y / 2) avoids cancellation at 0.
  const double half_sine = std::sin(y / 2);
  const double re = std::expm1(x) * std::cos(y) - 2 * half_sine * half_sine;
  const double im = y == 0 ? y : std::exp(x) * std::sin(y);
  return {y == 0 ? std::expm1(x) : re, im};
}

complex128 ComplexLog1p(complex128 z) {
  const double x = z.real(), y = z.imag();
  const double im = std::atan2(y, 1 + x);
  // |1 + z|^2 - 1 = x (2 + x) + y^2, in higher precision since the terms cancel
  // near the unit circle around -1.
  const long double lx = x, ly = y;
  if (std::fabs(x) < 1e100 && std::fabs(y) < 1e100) {
    const long double excess = lx * (2 + lx) + ly * ly;
    // Close to z = -1 the low bits are lost, but 1 + x is exact.
    if (excess > -0.5L) {
      return {static_cast<double>(std::log1p(excess) / 2), im};
    }
  }
  return {std::log(std::hypot(1 + x, y)), im};
}

complex128 ComplexRsqrt(complex128 z) {
  if (z == complex128(0)) {
    return {std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::quiet_NaN()};
  }
  if (std::isinf(z.real()) || std::isinf(z.imag())) {
    return {0, std::copysign(0.0, -z.imag())};
  }
  return ComplexDivide(1, std::sqrt(z));
}

complex128 ComplexSqrt(complex128 z) { return std::sqrt(AboveCut(z)); }
complex128 ComplexAcos(complex128 z) { return std::acos(AboveCut(z)); }
complex128 ComplexAcosh(complex128 z) { return std::acosh(AboveCut(z)); }
complex128 ComplexAsin(complex128 z) { return std::asin(AboveCut(z)); }
complex128 ComplexAsinh(complex128 z) {
  return std::asinh(complex128(z.real() + 0.0, z.imag()));
}

complex128 ComplexLogistic(complex128 z) {
  return ComplexDivide(1, 1.0 + std::exp(-z));
}

complex128 ComplexSign(complex128 z) {
  const double size = std::abs(z);
  return size == 0 ? z : complex128(z.real() / size, z.imag() / size);
}

complex128 ComplexPower(complex128 a, complex128 b) {
  if (b == complex128(0)) return 1;
  if (a == complex128(0) && b.imag() == 0 && b.real() > 0) return 0;
  // Of real numbers one of which is infinite it is real: 1^inf is 1, as in C.
  if (a.imag() == 0 && b.imag() == 0 && a.real() >= 0 &&
      !std::isnan(b.real()) && (std::isinf(a.real()) || std::isinf(b.real()))) {
    return std::pow(a.real(), b.real());
  }
  return std::exp(ComplexMultiply(b, std::log(a)));
}

complex128 ComplexAtan2(complex128 y, complex128 x) {
  const complex128 i(0, 1);
  const complex128 size = std::sqrt(x * x + y * y);
  const complex128 log = std::log(ComplexDivide(x + i * y, size));
  return {log.imag(), -log.real()};
}

}  // namespace xla
