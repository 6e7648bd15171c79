// Arithmetic on integers and pred. All operations wrap around and none traps.
#include "xla/backends/cpu/codegen/elementwise/convert.h"
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"

namespace xla::cpu {
namespace {

llvm::Value* Sign(llvm::IRBuilder<>& b, bool is_signed, llvm::Value* x) {
  if (!is_signed) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, Const(x, 1));
  }
  llvm::Value* most =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, Const(x, 1));
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, most,
                                 llvm::Constant::getAllOnesValue(x->getType()));
}

llvm::Value* MultiplyHigh(llvm::IRBuilder<>& b, bool is_signed, llvm::Value* x,
                          llvm::Value* y) {
  const int bits = BitsOf(x);
  llvm::Value* product = b.CreateMul(ResizeInt(b, x, 2 * bits, is_signed),
                                     ResizeInt(b, y, 2 * bits, is_signed));
  return b.CreateTrunc(b.CreateLShr(product, bits), x->getType());
}

llvm::Value* MinMax(llvm::IRBuilder<>& b, bool is_max, bool is_signed,
                    llvm::Value* x, llvm::Value* y) {
  const llvm::Intrinsic::ID id =
      is_max ? (is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax)
             : (is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
  return b.CreateBinaryIntrinsic(id, x, y);
}

}  // namespace

llvm::Value* EmitIntegerOp(EmitContext& context, HloOpcode opcode,
                           bool is_signed, absl::Span<llvm::Value* const> x) {
  llvm::IRBuilder<>& b = context.b;
  switch (opcode) {
    case HloOpcode::kAbs:
      if (!is_signed) return x[0];
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0], b.getFalse());
    case HloOpcode::kAdd:
      return b.CreateAdd(x[0], x[1]);
    case HloOpcode::kClamp:
      return MinMax(b, false, is_signed, MinMax(b, true, is_signed, x[0], x[1]),
                    x[2]);
    case HloOpcode::kDivide:
    case HloOpcode::kRemainder:
      return EmitIntegerDivision(context, opcode, is_signed, x[0], x[1]);
    case HloOpcode::kMaximum:
    case HloOpcode::kMinimum:
      return MinMax(b, opcode == HloOpcode::kMaximum, is_signed, x[0], x[1]);
    case HloOpcode::kMulhi:
      return MultiplyHigh(b, is_signed, x[0], x[1]);
    case HloOpcode::kMultiply:
      return b.CreateMul(x[0], x[1]);
    case HloOpcode::kNegate:
      return b.CreateNeg(x[0]);
    case HloOpcode::kPower:
      return EmitIntegerPower(context, is_signed, x[0], x[1]);
    case HloOpcode::kSign:
      return Sign(b, is_signed, x[0]);
    case HloOpcode::kSubtract:
      return b.CreateSub(x[0], x[1]);
    default:
      return EmitBitOp(b, opcode, x);
  }
}

llvm::Value* EmitPredOp(llvm::IRBuilder<>& b, HloOpcode opcode,
                        absl::Span<llvm::Value* const> x) {
  switch (opcode) {
    case HloOpcode::kAdd:
    case HloOpcode::kMaximum:
    case HloOpcode::kOr:
      return b.CreateOr(x[0], x[1]);
    case HloOpcode::kAnd:
    case HloOpcode::kMinimum:
    case HloOpcode::kMultiply:
      return b.CreateAnd(x[0], x[1]);
    case HloOpcode::kClamp:
      return b.CreateAnd(b.CreateOr(x[0], x[1]), x[2]);
    case HloOpcode::kNot:
      return b.CreateNot(x[0]);
    case HloOpcode::kXor:
      return b.CreateXor(x[0], x[1]);
    default:
      return nullptr;
  }
}

}  // namespace xla::cpu
