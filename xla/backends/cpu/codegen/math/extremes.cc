// Maximum and minimum of vectors on x86, whose instructions for them are not
// symmetric. What LLVM makes of llvm.maximum takes six instructions, three of
// them one after the other in a chain of maxima.
#include "llvm/IR/Constants.h"
#include "xla/backends/cpu/codegen/math/float_lanes.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/codegen/math/registers_avx512.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// The two orders of operands differ only for NaN, which a mask of ones
// replaces, and for zeros, of whose signs `and` and `or` make one.
Value* ExtremeOfBothOrders(FloatLanes& l, Value* x, Value* y, bool greater) {
  llvm::IRBuilderBase& b = l.b();
  auto pick = [&](Value* first, Value* second) {
    Value* is_first = greater ? l.Gt(first, second) : l.Lt(first, second);
    return l.Bits(l.Select(is_first, first, second));
  };
  Value* one = pick(x, y);
  Value* other = pick(y, x);
  Value* both = greater ? b.CreateAnd(one, other) : b.CreateOr(one, other);
  Value* is_nan = b.CreateSExt(b.CreateFCmpUNO(x, y), l.int_type());
  return l.FromBits(b.CreateOr(both, is_nan));
}

}  // namespace

Value* MathBuilder::Extreme(Value* x, Value* y, bool greater) {
  // LLVM knows what a constant operand makes unnecessary.
  if (!options_.is_x86 || llvm::isa<llvm::Constant>(x) ||
      llvm::isa<llvm::Constant>(y)) {
    return builder_.CreateBinaryIntrinsic(
        greater ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, x, y);
  }
  FloatLanes l(builder_, options_, x->getType());
  if (!options_.has_avx512) {
    return l.lanes() == 0 ? ExtremeOfScalars(x, y, greater)
                          : ExtremeOfBothOrders(l, x, y, greater);
  }
  return l.Select(builder_.CreateFCmpUNO(x, y), l.NaN(),
                  ExtremeByInstruction(l, x, y, greater));
}

// In the first lane of a register: LLVM's code for llvm.maximum of scalars
// branches on the sign of one, which cannot be predicted.
Value* MathBuilder::ExtremeOfScalars(Value* x, Value* y, bool greater) {
  auto* type = llvm::FixedVectorType::get(
      x->getType(), 128 / x->getType()->getScalarSizeInBits());
  FloatLanes l(builder_, options_, type);
  auto widen = [&](Value* scalar) {
    return builder_.CreateInsertElement(llvm::PoisonValue::get(type), scalar,
                                        uint64_t{0});
  };
  return builder_.CreateExtractElement(
      ExtremeOfBothOrders(l, widen(x), widen(y), greater), uint64_t{0});
}

Value* MathBuilder::Maximum(Value* x, Value* y) { return Extreme(x, y, true); }

Value* MathBuilder::Minimum(Value* x, Value* y) { return Extreme(x, y, false); }

}  // namespace xla::cpu
