// Ops on complex numbers. Sums are computed part by part; everything else is
// computed in double and rounded once, which makes c64 nearly exact.
#include "xla/backends/cpu/codegen/elementwise/complex_math.h"
#include "xla/backends/cpu/codegen/elementwise/families.h"

namespace xla::cpu {
namespace {

Complex EmitFunction(ComplexMath& math, HloOpcode opcode, Complex z) {
  switch (opcode) {
    case HloOpcode::kAcos:
      return math.Acos(z);
    case HloOpcode::kAcosh:
      return math.Acosh(z);
    case HloOpcode::kAsin:
      return math.Asin(z);
    case HloOpcode::kAsinh:
      return math.Asinh(z);
    case HloOpcode::kAtanh:
      return math.Atanh(z);
    case HloOpcode::kCos:
      return math.Cos(z);
    case HloOpcode::kCosh:
      return math.Cosh(z);
    case HloOpcode::kExp:
      return math.Exp(z);
    case HloOpcode::kExpm1:
      return math.Expm1(z);
    case HloOpcode::kLog:
      return math.Log(z);
    case HloOpcode::kLog1p:
      return math.Log1p(z);
    case HloOpcode::kLogistic:
      return math.Logistic(z);
    case HloOpcode::kRsqrt:
      return math.Rsqrt(z);
    case HloOpcode::kSign:
      return math.Sign(z);
    case HloOpcode::kSin:
      return math.Sin(z);
    case HloOpcode::kSinh:
      return math.Sinh(z);
    case HloOpcode::kSqrt:
      return math.Sqrt(z);
    case HloOpcode::kTan:
      return math.Tan(z);
    case HloOpcode::kTanh:
      return math.Tanh(z);
    default:
      return {};
  }
}

// Ops whose results need no more precision than their operands; a null value
// for all other ops.
Element EmitOnParts(llvm::IRBuilder<>& b, HloOpcode opcode,
                    absl::Span<const Element> z) {
  switch (opcode) {
    case HloOpcode::kAdd:
      return {b.CreateFAdd(z[0].value, z[1].value),
              b.CreateFAdd(z[0].imag, z[1].imag)};
    case HloOpcode::kImag:
      return {z[0].imag};
    case HloOpcode::kNegate:
      return {b.CreateFNeg(z[0].value), b.CreateFNeg(z[0].imag)};
    case HloOpcode::kReal:
      return {z[0].value};
    case HloOpcode::kSubtract:
      return {b.CreateFSub(z[0].value, z[1].value),
              b.CreateFSub(z[0].imag, z[1].imag)};
    default:
      return {};
  }
}

}  // namespace

Element EmitComplexOp(EmitContext& context, HloOpcode opcode,
                      absl::Span<const Element> z) {
  llvm::IRBuilder<>& b = context.b;
  Element result = EmitOnParts(b, opcode, z);
  if (result.value != nullptr) return result;

  llvm::Type* part = z[0].value->getType();
  llvm::Type* wide = LanesLike(z[0].value, b.getDoubleTy());
  auto widened = [&](const Element& element) {
    return Complex{{&b, b.CreateFPExt(element.value, wide)},
                   {&b, b.CreateFPExt(element.imag, wide)}};
  };
  auto rounded = [&](Real x) { return b.CreateFPTrunc(x.v, part); };
  ComplexMath math(context, /*is_narrow=*/part != wide);
  const Complex x = widened(z[0]);
  Complex value = {};
  switch (opcode) {
    case HloOpcode::kAbs:
      return {rounded(math.Abs(x))};
    case HloOpcode::kAtan2:
      value = math.Atan2(x, widened(z[1]));
      break;
    case HloOpcode::kDivide:
      value = math.Divide(x, widened(z[1]));
      break;
    case HloOpcode::kMultiply:
      value = x * widened(z[1]);
      break;
    case HloOpcode::kPower:
      value = math.Power(x, widened(z[1]));
      break;
    default:
      value = EmitFunction(math, opcode, x);
      break;
  }
  if (value.re.v == nullptr) return {};
  return {rounded(value.re), rounded(value.im)};
}

}  // namespace xla::cpu
