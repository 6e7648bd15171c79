// fmod: one division if the quotient is small enough, else a loop that
// subtracts the quotient's leading bits, exactly, until it is.
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "xla/backends/cpu/codegen/math/float_lanes.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// Quotients below 2^QuotientBits are handled by one division. Without fma the
// product with half of the divisor's bits has to be exact.
int QuotientBits(FloatLanes& l) {
  if (!l.is_double()) return 22;
  return l.options().has_fma ? 50 : 24;
}

// a - q y, exact for the integral q near a / y.
Value* SubtractMultiple(FloatLanes& l, Value* a, Value* q, Value* y) {
  if (l.options().has_fma) return l.Fma(l.Neg(q), y, a);
  Value* y_hi =
      l.FromBits(l.b().CreateAnd(l.Bits(y), l.I(~((uint64_t{1} << 27) - 1))));
  Value* y_lo = l.Sub(y, y_hi);
  const HiLo rest = l.TwoSum(a, l.Neg(l.Mul(q, y_hi)));
  return l.Add(l.Sub(rest.hi, l.Mul(q, y_lo)), rest.lo);
}

// The largest integer not above q, for 0 <= q < 2^mantissa_bits.
Value* FloorOfSmall(FloatLanes& l, Value* q) {
  if (l.options().has_round) {
    return l.b().CreateUnaryIntrinsic(llvm::Intrinsic::floor, q);
  }
  Value* limit = l.C(0x1p23, 0x1p52);
  Value* rounded = l.Sub(l.Add(q, limit), limit);
  return l.Sub(rounded, l.Select(l.Gt(rounded, q), l.C(1), l.C(0)));
}

// a mod y for 0 <= a < 2^QuotientBits y. The quotient may have been rounded up
// to the next integer; then the difference is negative and y is added back.
Value* Reduce(FloatLanes& l, Value* a, Value* y, Value* quotient) {
  Value* q = FloorOfSmall(l, quotient);
  Value* rest = SubtractMultiple(l, a, q, y);
  return l.Select(l.Lt(rest, l.C(0)), l.Add(rest, y), rest);
}

// The binary exponent of x > 0 (biased by some constant), in integer lanes.
Value* ExponentOf(FloatLanes& l, Value* x) {
  llvm::IRBuilderBase& b = l.b();
  const int shift = l.mantissa_bits();
  Value* tiny = l.Lt(x, l.SmallestNormal());
  Value* scaled = l.Mul(x, l.C(0x1p23, 0x1p52));
  Value* bits = l.Bits(l.Select(tiny, scaled, x));
  Value* field = b.CreateLShr(bits, l.I(shift));
  return b.CreateSub(field, l.Select(tiny, l.I(shift), l.I(0)));
}

// y 2^k with the k >= 0 for which a / (y 2^k) is just below 2^QuotientBits. The
// power is applied in three factors because k may be twice the largest
// exponent.
Value* ScaledDivisor(FloatLanes& l, Value* a, Value* y) {
  llvm::IRBuilderBase& b = l.b();
  Value* k = b.CreateSub(ExponentOf(l, a), ExponentOf(l, y));
  k = b.CreateSub(k, l.I(QuotientBits(l) - 1));
  k = l.Select(b.CreateICmpSGT(k, l.I(0)), k, l.I(0));
  for (int factor = 0; factor < 3; ++factor) {
    Value* limit = l.I(l.exponent_bias());
    Value* step = l.Select(b.CreateICmpSLT(k, limit), k, limit);
    y = l.Mul(y, l.PowerOfTwo(step, 0));
    k = b.CreateSub(k, step);
  }
  return y;
}

// True in lanes whose quotient is still too large for one division.
Value* IsLarge(FloatLanes& l, Value* a, Value* y, Value* quotient) {
  const double limit = static_cast<double>(int64_t{1} << QuotientBits(l));
  Value* large = l.Ge(quotient, l.C(limit));
  Value* finite = l.Lt(a, l.Inf());
  return l.b().CreateAnd(large, l.b().CreateAnd(finite, l.Gt(y, l.C(0))));
}

// Emits the loop; returns a, reduced in lanes whose quotient was large.
Value* ReduceLarge(FloatLanes& l, Value* a, Value* y) {
  llvm::IRBuilderBase& b = l.b();
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::LLVMContext& context = b.getContext();
  llvm::Function* function = before->getParent();
  auto* next = before->getNextNode();
  auto* loop = llvm::BasicBlock::Create(context, "fmod", function, next);
  auto* done = llvm::BasicBlock::Create(context, "fmod_done", function, next);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* value = b.CreatePHI(l.type(), 2);
  value->addIncoming(a, before);
  Value* large = IsLarge(l, value, y, l.Div(value, y));
  Value* divisor = ScaledDivisor(l, value, y);
  Value* rest = Reduce(l, value, divisor, l.Div(value, divisor));
  Value* reduced = l.Select(large, rest, value);
  value->addIncoming(reduced, loop);
  Value* again = IsLarge(l, reduced, y, l.Div(reduced, y));
  b.CreateCondBr(l.Any(again), loop, done);
  b.SetInsertPoint(done);
  return reduced;
}

}  // namespace

Value* MathBuilder::Remainder(Value* x, Value* y) {
  FloatLanes l(builder_, options_, x->getType());
  if (UsesDouble(x)) {
    return l.ToFloat(Remainder(l.ToDouble(x), l.ToDouble(y)));
  }
  Value* a = l.Abs(x);
  Value* d = l.Abs(y);
  Value* quotient = l.Div(a, d);
  RareBranch branch(builder_, l.Any(IsLarge(l, a, d, quotient)));
  Value* reduced = ReduceLarge(l, a, d);
  Value* reduced_quotient = l.Div(reduced, d);
  Value* rest = branch.Join(a, reduced);
  Value* last = branch.Join(quotient, reduced_quotient);
  branch.Finish();
  // A dividend smaller than the divisor is the result, even if the divisor is
  // infinite. x / 0 and infinity / y arrive as NaN through the product.
  Value* result = Reduce(l, rest, d, last);
  return l.CopySign(l.Select(l.Lt(rest, d), rest, result), x);
}

}  // namespace xla::cpu
