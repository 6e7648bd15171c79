// Rounding to integral values, sign, absolute value, and the computation of f32
// functions in f64 on targets without fma.
#include "llvm/IR/Intrinsics.h"
#include "xla/backends/cpu/codegen/math/float_lanes.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// Rounds ties to even by adding and subtracting 2^mantissa_bits; larger numbers
// are integral already. Keeps the sign of zero.
Value* RoundByMagic(FloatLanes& l, Value* x) {
  Value* magnitude = l.Abs(x);
  Value* limit = l.C(0x1p23, 0x1p52);
  Value* rounded = l.Sub(l.Add(magnitude, limit), limit);
  return l.Select(l.Lt(magnitude, limit), l.CopySign(rounded, x), x);
}

// The nearest integral number on one side of x, for targets without an
// instruction for it: the nearest one, moved by `step` if `beyond` says that it
// is on the other side of x.
Value* RoundToSide(FloatLanes& l, Value* x, double step,
                   Value* (FloatLanes::*beyond)(Value*, Value*)) {
  Value* rounded = RoundByMagic(l, x);
  Value* correction = l.Select((l.*beyond)(rounded, x), l.C(step), l.C(0));
  return l.CopySign(l.Add(rounded, correction), x);
}

}  // namespace

bool MathBuilder::UsesDouble(Value* x) const {
  return !options_.has_fma && x->getType()->getScalarType()->isFloatTy();
}

Value* MathBuilder::ThroughDouble(Unary function, Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  return l.ToFloat((this->*function)(l.ToDouble(x)));
}

Value* MathBuilder::RoundNearestEven(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (!options_.has_round) return RoundByMagic(l, x);
  return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x);
}

Value* MathBuilder::Floor(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (options_.has_round) {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x);
  }
  return RoundToSide(l, x, -1, &FloatLanes::Gt);
}

Value* MathBuilder::Ceil(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (options_.has_round) {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x);
  }
  return RoundToSide(l, x, 1, &FloatLanes::Lt);
}

Value* MathBuilder::Trunc(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  if (options_.has_round) {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
  }
  return l.CopySign(Floor(l.Abs(x)), x);
}

Value* MathBuilder::RoundNearestAfz(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  // The largest number below one half: adding it carries ties and everything
  // above them to the next integer, and nothing else.
  Value* half = l.CopySign(l.C(0x1.fffffep-2, 0x1.fffffffffffffp-2), x);
  return Trunc(l.Add(x, half));
}

Value* MathBuilder::Sign(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  Value* nonzero = builder_.CreateFCmpONE(x, l.C(0));
  return l.Select(nonzero, l.CopySign(l.C(1), x), x);
}

Value* MathBuilder::Abs(Value* x) {
  FloatLanes l(builder_, options_, x->getType());
  return l.Abs(x);
}

}  // namespace xla::cpu
