// Written so that c64 results, rounded from double, are nearly exact.
#include "xla/hlo/evaluator/elementwise/complex_math.h"

#include <cmath>
#include <complex>
#include <limits>

namespace xla {
namespace {

// With -0 made +0 in the imaginary part.
complex128 AboveCut(complex128 z) { return {z.real(), z.imag() + 0.0}; }

}  // namespace

complex128 ComplexMultiply(complex128 a, complex128 b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

complex128 ComplexDivide(complex128 a, complex128 b) { return a / b; }

complex128 ComplexExpm1(complex128 z) {
  const double x = z.real(), y = z.imag();
  // e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2(y / 2): no cancellation at 0.
  const double half_sine = std::sin(y / 2);
  const double re = std::expm1(x) * std::cos(y) - 2 * half_sine * half_sine;
  const double im = y == 0 ? y : std::exp(x) * std::sin(y);
  return {y == 0 ? std::expm1(x) : re, im};
}

complex128 ComplexLog1p(complex128 z) {
  const double x = z.real(), y = z.imag();
  const double im = std::atan2(y, 1 + x);
  // |1 + z|^2 - 1 = x (2 + x) + y^2, in more precision since the terms cancel
  // near the unit circle around -1.
  const long double lx = x, ly = y;
  if (std::fabs(x) < 1e100 && std::fabs(y) < 1e100) {
    const long double excess = lx * (2 + lx) + ly * ly;
    // Close to z = -1 its low bits are lost, and 1 + x is exact.
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
  return 1.0 / std::sqrt(z);
}

complex128 ComplexSqrt(complex128 z) { return std::sqrt(AboveCut(z)); }
complex128 ComplexAcos(complex128 z) { return std::acos(AboveCut(z)); }
complex128 ComplexAcosh(complex128 z) { return std::acosh(AboveCut(z)); }
complex128 ComplexAsin(complex128 z) { return std::asin(AboveCut(z)); }
complex128 ComplexAsinh(complex128 z) {
  return std::asinh(complex128(z.real() + 0.0, z.imag()));
}

complex128 ComplexLogistic(complex128 z) { return 1.0 / (1.0 + std::exp(-z)); }

complex128 ComplexSign(complex128 z) {
  const double size = std::abs(z);
  return size == 0 ? z : complex128(z.real() / size, z.imag() / size);
}

complex128 ComplexPower(complex128 a, complex128 b) {
  if (b == complex128(0)) return 1;
  if (a == complex128(0) && b.imag() == 0 && b.real() > 0) return 0;
  return std::exp(ComplexMultiply(b, std::log(a)));
}

complex128 ComplexAtan2(complex128 y, complex128 x) {
  const complex128 i(0, 1);
  const complex128 size = std::sqrt(x * x + y * y);
  const complex128 log = std::log((x + i * y) / size);
  return {log.imag(), -log.real()};
}

}  // namespace xla
