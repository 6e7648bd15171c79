// Quotients, remainders and powers of integers.
#include <algorithm>

#include "xla/backends/cpu/codegen/elementwise/convert.h"
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"

namespace xla::cpu {
namespace {

// Freezes x in lanes that may hold poison: dividing by poison or branching on
// it would be undefined behavior.
llvm::Value* Defined(EmitContext& context, llvm::Value* x) {
  if (context.mask == nullptr || llvm::isa<llvm::Constant>(x)) return x;
  return context.b.CreateFreeze(x);
}

// x / y, where y is not 0 and the quotient is in range. Vectors are divided as
// floats, since processors have no vector instruction for integer quotients: a
// quotient that is not an integer is further from the next integer than its
// rounding error.
llvm::Value* Quotient(EmitContext& context, bool is_signed, int value_bits,
                      llvm::Value* x, llvm::Value* y) {
  llvm::IRBuilder<>& b = context.b;
  if (LanesOf(x) == 1 || BitsOf(x) == 64 || llvm::isa<llvm::Constant>(y)) {
    return is_signed ? b.CreateSDiv(x, y) : b.CreateUDiv(x, y);
  }
  llvm::Type* type =
      LanesLike(x, value_bits <= 16 ? b.getFloatTy() : b.getDoubleTy());
  if (is_signed || value_bits <= 16) {
    return b.CreateFPToSI(
        b.CreateFDiv(b.CreateSIToFP(x, type), b.CreateSIToFP(y, type)),
        x->getType());
  }
  return b.CreateFPToUI(
      b.CreateFDiv(b.CreateUIToFP(x, type), b.CreateUIToFP(y, type)),
      x->getType());
}

}  // namespace

llvm::Value* EmitIntegerDivision(EmitContext& context, HloOpcode opcode,
                                 bool is_signed, llvm::Value* x,
                                 llvm::Value* y) {
  llvm::IRBuilder<>& b = context.b;
  const int value_bits = BitsOf(x);
  const int bits = std::max(value_bits, 32);
  x = ResizeInt(b, Defined(context, x), bits, is_signed);
  y = ResizeInt(b, Defined(context, y), bits, is_signed);
  llvm::Value* by_zero = b.CreateICmpEQ(y, Const(y, 0));
  llvm::Constant* minus_one = llvm::Constant::getAllOnesValue(y->getType());
  // Only the lowest number of full width has no negation.
  llvm::Value* by_minus_one =
      is_signed && bits == value_bits ? b.CreateICmpEQ(y, minus_one) : nullptr;
  llvm::Value* unsafe =
      by_minus_one == nullptr ? by_zero : b.CreateOr(by_zero, by_minus_one);
  llvm::Value* divisor = b.CreateSelect(unsafe, Const(y, 1), y);
  llvm::Value* quotient = Quotient(context, is_signed, value_bits, x, divisor);
  llvm::Value* result;
  if (opcode == HloOpcode::kDivide) {
    if (by_minus_one != nullptr) {
      quotient = b.CreateSelect(by_minus_one, b.CreateNeg(x), quotient);
    }
    result = b.CreateSelect(by_zero, minus_one, quotient);
  } else {
    // Dividing by 1 instead of -1 also leaves remainder 0; dividing by 1
    // instead of 0 must leave x.
    llvm::Value* rest = b.CreateSub(x, b.CreateMul(quotient, divisor));
    result = b.CreateSelect(by_zero, x, rest);
  }
  return b.CreateTrunc(result, IntLike(b, x, value_bits));
}

llvm::Value* EmitIntegerPower(EmitContext& context, bool is_signed,
                              llvm::Value* base, llvm::Value* exponent) {
  llvm::IRBuilder<>& b = context.b;
  exponent = Defined(context, exponent);
  llvm::Type* type = base->getType();
  llvm::Function* function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* after =
      llvm::BasicBlock::Create(b.getContext(), "power.done", function);
  // Instructions after the insertion point, if any, move behind the loop.
  after->splice(after->end(), before, b.GetInsertPoint(), before->end());
  after->replaceSuccessorsPhiUsesWith(before, after);
  llvm::BasicBlock* loop =
      llvm::BasicBlock::Create(b.getContext(), "power", function, after);
  b.SetInsertPoint(before);
  b.CreateBr(loop);

  b.SetInsertPoint(loop);
  llvm::PHINode* result = b.CreatePHI(type, 2);
  llvm::PHINode* square = b.CreatePHI(type, 2);
  llvm::PHINode* rest = b.CreatePHI(type, 2);
  llvm::Value* is_odd =
      b.CreateICmpNE(b.CreateAnd(rest, Const(rest, 1)), Const(rest, 0));
  llvm::Value* next_result =
      b.CreateMul(result, b.CreateSelect(is_odd, square, Const(square, 1)));
  llvm::Value* next_square = b.CreateMul(square, square);
  llvm::Value* next_rest = b.CreateLShr(rest, 1);
  llvm::Value* left =
      type->isVectorTy() ? b.CreateOrReduce(next_rest) : next_rest;
  b.CreateCondBr(b.CreateICmpNE(left, Const(left, 0)), loop, after);
  result->addIncoming(Const(base, 1), before);
  result->addIncoming(next_result, loop);
  square->addIncoming(base, before);
  square->addIncoming(next_square, loop);
  rest->addIncoming(exponent, before);
  rest->addIncoming(next_rest, loop);

  b.SetInsertPoint(after, after->begin());
  if (!is_signed) return next_result;
  // With a negative exponent only 1 and -1 have integer powers. The loop
  // computed these already: its exponent has the parity of the negative one.
  llvm::Value* is_inverse = b.CreateICmpSLT(exponent, Const(exponent, 0));
  llvm::Value* is_unit =
      b.CreateICmpULT(b.CreateAdd(base, Const(base, 1)), Const(base, 3));
  llvm::Value* is_zero = b.CreateICmpEQ(base, Const(base, 0));
  llvm::Value* vanishes =
      b.CreateAnd(is_inverse, b.CreateOr(is_zero, b.CreateNot(is_unit)));
  return b.CreateSelect(vanishes, Const(base, 0), next_result);
}

}  // namespace xla::cpu
