// Element-wise ops on real numbers.
#include <cmath>
#include <complex>

#include "xla/hlo/evaluator/elementwise/kernels.h"

namespace xla {
namespace {

// Returns NaN if either is; +0 is greater than -0.
double Maximum(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
double Minimum(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

double RoundNearestEven(double x) {
  const double rounded = std::round(x);
  // round() took a tie away from zero: the even neighbour is twice the rounded
  // half.
  const bool tie = std::fabs(x - std::trunc(x)) == 0.5;
  return tie ? std::copysign(2 * std::round(x / 2), x) : rounded;
}

// Preserves NaN and the sign of zero.
template <typename T>
T Sign(T x) {
  if (x > 0) return 1;
  return x < 0 ? -1 : x;
}

template <typename T>
KernelFn RoundingKernel(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAbs:
      return Map1<T, T, T, [](T x) { return std::fabs(x); }>;
    case HloOpcode::kCeil:
      return Map1<T, T, T, [](T x) { return std::ceil(x); }>;
    case HloOpcode::kFloor:
      return Map1<T, T, T, [](T x) { return std::floor(x); }>;
    case HloOpcode::kImag:
      return Map1<T, T, T, [](T) { return T{0}; }>;
    case HloOpcode::kIsFinite:
      return Map1<T, T, bool, [](T x) { return std::isfinite(x); }>;
    case HloOpcode::kNegate:
      return Map1<T, T, T, [](T x) { return -x; }>;
    case HloOpcode::kRoundNearestAfz:
      return Map1<T, T, T, [](T x) { return std::round(x); }>;
    case HloOpcode::kRoundNearestEven:
      return Map1<T, double, T, [](double x) { return RoundNearestEven(x); }>;
    case HloOpcode::kSign:
      return Map1<T, T, T, [](T x) { return Sign(x); }>;
    default:
      return nullptr;
  }
}

// 1 / (1 + e^-x), whose e^-x overflows before the result is 0.
double Logistic(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

template <typename T>
KernelFn FloatFunction(HloOpcode opcode) {
  using D = double;
  switch (opcode) {
    case HloOpcode::kAcos:
      return Map1<T, D, T, [](D x) { return std::acos(x); }>;
    case HloOpcode::kAcosh:
      return Map1<T, D, T, [](D x) { return std::acosh(x); }>;
    case HloOpcode::kAsin:
      return Map1<T, D, T, [](D x) { return std::asin(x); }>;
    case HloOpcode::kAsinh:
      return Map1<T, D, T, [](D x) { return std::asinh(x); }>;
    case HloOpcode::kAtanh:
      return Map1<T, D, T, [](D x) { return std::atanh(x); }>;
    case HloOpcode::kCbrt:
      return Map1<T, D, T, [](D x) { return std::cbrt(x); }>;
    case HloOpcode::kCos:
      return Map1<T, D, T, [](D x) { return std::cos(x); }>;
    case HloOpcode::kCosh:
      return Map1<T, D, T, [](D x) { return std::cosh(x); }>;
    case HloOpcode::kErf:
      return Map1<T, D, T, [](D x) { return std::erf(x); }>;
    case HloOpcode::kErfc:
      return Map1<T, D, T, [](D x) { return std::erfc(x); }>;
    case HloOpcode::kExp:
      return Map1<T, D, T, [](D x) { return std::exp(x); }>;
    case HloOpcode::kExpm1:
      return Map1<T, D, T, [](D x) { return std::expm1(x); }>;
    case HloOpcode::kLog:
      return Map1<T, D, T, [](D x) { return std::log(x); }>;
    case HloOpcode::kLog1p:
      return Map1<T, D, T, [](D x) { return std::log1p(x); }>;
    case HloOpcode::kLogistic:
      return Map1<T, D, T, Logistic>;
    case HloOpcode::kRsqrt:
      return Map1<T, D, T, [](D x) { return 1 / std::sqrt(x); }>;
    case HloOpcode::kSin:
      return Map1<T, D, T, [](D x) { return std::sin(x); }>;
    case HloOpcode::kSinh:
      return Map1<T, D, T, [](D x) { return std::sinh(x); }>;
    case HloOpcode::kSqrt:
      return Map1<T, D, T, [](D x) { return std::sqrt(x); }>;
    case HloOpcode::kTan:
      return Map1<T, D, T, [](D x) { return std::tan(x); }>;
    case HloOpcode::kTanh:
      return Map1<T, D, T, [](D x) { return std::tanh(x); }>;
    default:
      return nullptr;
  }
}

template <typename T>
void MakeComplex(const void* const* inputs, void* output, size_t n,
                 const KernelParams&) {
  const T* re = static_cast<const T*>(inputs[0]);
  const T* im = static_cast<const T*>(inputs[1]);
  auto* out = static_cast<std::complex<T>*>(output);
  for (size_t i = 0; i < n; ++i) out[i] = {re[i], im[i]};
}

template <typename T>
KernelFn BinaryKernel(HloOpcode opcode) {
  using D = double;
  switch (opcode) {
    case HloOpcode::kAdd:
      return Map2<T, T, T, [](T a, T b) { return a + b; }>;
    case HloOpcode::kAtan2:
      return Map2<T, D, T, [](D a, D b) { return std::atan2(a, b); }>;
    case HloOpcode::kClamp:
      return Map3<T, [](T low, T x, T high) {
        return static_cast<T>(Minimum(Maximum(low, x), high));
      }>;
    case HloOpcode::kComplex:
      return MakeComplex<T>;
    case HloOpcode::kDivide:
      return Map2<T, T, T, [](T a, T b) { return a / b; }>;
    case HloOpcode::kMaximum:
      return Map2<T, D, T, [](D a, D b) { return Maximum(a, b); }>;
    case HloOpcode::kMinimum:
      return Map2<T, D, T, [](D a, D b) { return Minimum(a, b); }>;
    case HloOpcode::kMultiply:
      return Map2<T, T, T, [](T a, T b) { return a * b; }>;
    case HloOpcode::kPower:
      return Map2<T, D, T, [](D a, D b) { return std::pow(a, b); }>;
    case HloOpcode::kRemainder:
      return Map2<T, D, T, [](D a, D b) { return std::fmod(a, b); }>;
    case HloOpcode::kSubtract:
      return Map2<T, T, T, [](T a, T b) { return a - b; }>;
    default:
      return nullptr;
  }
}

template <typename T>
KernelFn ChooseFloat(HloOpcode opcode) {
  KernelFn fn = RoundingKernel<T>(opcode);
  if (fn == nullptr) fn = FloatFunction<T>(opcode);
  return fn != nullptr ? fn : BinaryKernel<T>(opcode);
}

}  // namespace

KernelFn FloatKernel(HloOpcode opcode, PrimitiveType type) {
  return type == F32 ? ChooseFloat<float>(opcode) : ChooseFloat<double>(opcode);
}

}  // namespace xla
