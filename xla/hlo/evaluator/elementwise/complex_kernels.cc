// Element-wise ops on complex numbers, computed in double.
#include <complex>

#include "xla/base/types.h"
#include "xla/hlo/evaluator/elementwise/complex_math.h"
#include "xla/hlo/evaluator/elementwise/kernels.h"

namespace xla {
namespace {

using Z = complex128;

template <typename T>
KernelFn ComplexFunction(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAcos:
      return Map1<T, Z, T, [](Z z) { return ComplexAcos(z); }>;
    case HloOpcode::kAcosh:
      return Map1<T, Z, T, [](Z z) { return ComplexAcosh(z); }>;
    case HloOpcode::kAsin:
      return Map1<T, Z, T, [](Z z) { return ComplexAsin(z); }>;
    case HloOpcode::kAsinh:
      return Map1<T, Z, T, [](Z z) { return ComplexAsinh(z); }>;
    case HloOpcode::kAtanh:
      return Map1<T, Z, T, [](Z z) { return std::atanh(z); }>;
    case HloOpcode::kCos:
      return Map1<T, Z, T, [](Z z) { return std::cos(z); }>;
    case HloOpcode::kCosh:
      return Map1<T, Z, T, [](Z z) { return std::cosh(z); }>;
    case HloOpcode::kExp:
      return Map1<T, Z, T, [](Z z) { return std::exp(z); }>;
    case HloOpcode::kExpm1:
      return Map1<T, Z, T, [](Z z) { return ComplexExpm1(z); }>;
    case HloOpcode::kLog:
      return Map1<T, Z, T, [](Z z) { return std::log(z); }>;
    case HloOpcode::kLog1p:
      return Map1<T, Z, T, [](Z z) { return ComplexLog1p(z); }>;
    case HloOpcode::kLogistic:
      return Map1<T, Z, T, [](Z z) { return ComplexLogistic(z); }>;
    case HloOpcode::kRsqrt:
      return Map1<T, Z, T, [](Z z) { return ComplexRsqrt(z); }>;
    case HloOpcode::kSin:
      return Map1<T, Z, T, [](Z z) { return std::sin(z); }>;
    case HloOpcode::kSinh:
      return Map1<T, Z, T, [](Z z) { return std::sinh(z); }>;
    case HloOpcode::kSqrt:
      return Map1<T, Z, T, [](Z z) { return ComplexSqrt(z); }>;
    case HloOpcode::kTan:
      return Map1<T, Z, T, [](Z z) { return std::tan(z); }>;
    case HloOpcode::kTanh:
      return Map1<T, Z, T, [](Z z) { return std::tanh(z); }>;
    default:
      return nullptr;
  }
}

// Return the first operand unless its real part is less, or greater.
template <typename T>
T ComplexMax(T a, T b) {
  return a.real() >= b.real() ? a : b;
}
template <typename T>
T ComplexMin(T a, T b) {
  return a.real() <= b.real() ? a : b;
}

template <typename T>
KernelFn ComplexArithmetic(HloOpcode opcode) {
  using Part = typename T::value_type;
  switch (opcode) {
    case HloOpcode::kAbs:
      return Map1<T, Z, Part, [](Z z) { return std::abs(z); }>;
    case HloOpcode::kAdd:
      return Map2<T, T, T, [](T a, T b) { return a + b; }>;
    case HloOpcode::kAtan2:
      return Map2<T, Z, T, [](Z a, Z b) { return ComplexAtan2(a, b); }>;
    case HloOpcode::kClamp:
      return Map3<T, [](T low, T x, T high) {
        return ComplexMin(ComplexMax(low, x), high);
      }>;
    case HloOpcode::kDivide:
      return Map2<T, Z, T, [](Z a, Z b) { return ComplexDivide(a, b); }>;
    case HloOpcode::kImag:
      return Map1<T, T, Part, [](T z) { return z.imag(); }>;
    case HloOpcode::kMaximum:
      return Map2<T, T, T, [](T a, T b) { return ComplexMax(a, b); }>;
    case HloOpcode::kMinimum:
      return Map2<T, T, T, [](T a, T b) { return ComplexMin(a, b); }>;
    case HloOpcode::kMultiply:
      return Map2<T, Z, T, [](Z a, Z b) { return ComplexMultiply(a, b); }>;
    case HloOpcode::kNegate:
      return Map1<T, T, T, [](T z) { return -z; }>;
    case HloOpcode::kPower:
      return Map2<T, Z, T, [](Z a, Z b) { return ComplexPower(a, b); }>;
    case HloOpcode::kReal:
      return Map1<T, T, Part, [](T z) { return z.real(); }>;
    case HloOpcode::kSign:
      return Map1<T, Z, T, [](Z z) { return ComplexSign(z); }>;
    case HloOpcode::kSubtract:
      return Map2<T, T, T, [](T a, T b) { return a - b; }>;
    default:
      return nullptr;
  }
}

template <typename T>
KernelFn ChooseComplex(HloOpcode opcode) {
  KernelFn fn = ComplexFunction<T>(opcode);
  return fn != nullptr ? fn : ComplexArithmetic<T>(opcode);
}

}  // namespace

KernelFn ComplexKernel(HloOpcode opcode, PrimitiveType type) {
  return type == C64 ? ChooseComplex<complex64>(opcode)
                     : ChooseComplex<complex128>(opcode);
}

}  // namespace xla
