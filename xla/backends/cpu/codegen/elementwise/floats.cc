// Arithmetic, rounding and functions of floats and doubles. The IR has no
// fast-math flags: each operation is rounded separately.
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"

namespace xla::cpu {
namespace {

// -1, 1, or x itself where it is a zero or NaN.
llvm::Value* Sign(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* unit =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, FloatConst(x, 1), x);
  return b.CreateSelect(b.CreateFCmpONE(x, FloatConst(x, 0)), unit, x);
}

llvm::Value* IsFinite(llvm::IRBuilder<>& b, llvm::Value* x) {
  return b.CreateFCmpOLT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                         llvm::ConstantFP::getInfinity(x->getType()));
}

llvm::Value* EmitArithmetic(EmitContext& context, HloOpcode opcode,
                            absl::Span<llvm::Value* const> x) {
  llvm::IRBuilder<>& b = context.b;
  switch (opcode) {
    case HloOpcode::kAdd:
      return b.CreateFAdd(x[0], x[1]);
    case HloOpcode::kAtan2:
      return MathFor(context).Atan2(x[0], x[1]);
    case HloOpcode::kClamp:
      return MathFor(context).Minimum(MathFor(context).Maximum(x[0], x[1]),
                                      x[2]);
    case HloOpcode::kDivide:
      return b.CreateFDiv(x[0], x[1]);
    case HloOpcode::kMaximum:
      return MathFor(context).Maximum(x[0], x[1]);
    case HloOpcode::kMinimum:
      return MathFor(context).Minimum(x[0], x[1]);
    case HloOpcode::kMultiply:
      return b.CreateFMul(x[0], x[1]);
    case HloOpcode::kPower:
      return MathFor(context).Pow(x[0], x[1]);
    case HloOpcode::kRemainder:
      return MathFor(context).Remainder(x[0], x[1]);
    case HloOpcode::kSubtract:
      return b.CreateFSub(x[0], x[1]);
    default:
      return nullptr;
  }
}

}  // namespace

llvm::Value* EmitFloatFunction(EmitContext& context, HloOpcode opcode,
                               llvm::Value* x) {
  MathBuilder math = MathFor(context);
  switch (opcode) {
    case HloOpcode::kAcos:
      return math.Acos(x);
    case HloOpcode::kAcosh:
      return math.Acosh(x);
    case HloOpcode::kAsin:
      return math.Asin(x);
    case HloOpcode::kAsinh:
      return math.Asinh(x);
    case HloOpcode::kAtanh:
      return math.Atanh(x);
    case HloOpcode::kCbrt:
      return math.Cbrt(x);
    case HloOpcode::kCeil:
      return math.Ceil(x);
    case HloOpcode::kCos:
      return math.Cos(x);
    case HloOpcode::kCosh:
      return math.Cosh(x);
    case HloOpcode::kErf:
      return math.Erf(x);
    case HloOpcode::kErfc:
      return math.Erfc(x);
    case HloOpcode::kExp:
      return math.Exp(x);
    case HloOpcode::kExpm1:
      return math.Expm1(x);
    case HloOpcode::kFloor:
      return math.Floor(x);
    case HloOpcode::kLog:
      return math.Log(x);
    case HloOpcode::kLog1p:
      return math.Log1p(x);
    case HloOpcode::kLogistic:
      return math.Logistic(x);
    case HloOpcode::kRoundNearestAfz:
      return math.RoundNearestAfz(x);
    case HloOpcode::kRoundNearestEven:
      return math.RoundNearestEven(x);
    case HloOpcode::kRsqrt:
      return math.Rsqrt(x);
    case HloOpcode::kSin:
      return math.Sin(x);
    case HloOpcode::kSinh:
      return math.Sinh(x);
    case HloOpcode::kSqrt:
      return math.Sqrt(x);
    case HloOpcode::kTan:
      return math.Tan(x);
    case HloOpcode::kTanh:
      return math.Tanh(x);
    default:
      return nullptr;
  }
}

llvm::Value* EmitFloatOp(EmitContext& context, HloOpcode opcode,
                         absl::Span<llvm::Value* const> x) {
  llvm::IRBuilder<>& b = context.b;
  switch (opcode) {
    case HloOpcode::kAbs:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x[0]);
    case HloOpcode::kImag:
      return FloatConst(x[0], 0);
    case HloOpcode::kIsFinite:
      return IsFinite(b, x[0]);
    case HloOpcode::kNegate:
      return b.CreateFNeg(x[0]);
    case HloOpcode::kSign:
      return Sign(b, x[0]);
    default:
      break;
  }
  llvm::Value* result = EmitFloatFunction(context, opcode, x[0]);
  return result != nullptr ? result : EmitArithmetic(context, opcode, x);
}

}  // namespace xla::cpu
