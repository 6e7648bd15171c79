// Logic, shifts, bit counts, and rounding of floats by their bits.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "xla/backends/cpu/codegen/elementwise/convert.h"
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {

llvm::Value* EmitBitOp(llvm::IRBuilder<>& b, HloOpcode opcode,
                       absl::Span<llvm::Value* const> x) {
  const int bits = BitsOf(x[0]);
  // `shifted` is poison for amounts beyond the width.
  auto or_zero = [&](llvm::Value* shifted) {
    return b.CreateSelect(b.CreateICmpULT(x[1], Const(x[1], bits)), shifted,
                          Const(x[0], 0));
  };
  switch (opcode) {
    case HloOpcode::kAnd:
      return b.CreateAnd(x[0], x[1]);
    case HloOpcode::kClz:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x[0], b.getFalse());
    case HloOpcode::kNot:
      return b.CreateNot(x[0]);
    case HloOpcode::kOr:
      return b.CreateOr(x[0], x[1]);
    case HloOpcode::kPopulationCount:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x[0]);
    case HloOpcode::kShiftLeft:
      return or_zero(b.CreateShl(x[0], x[1]));
    case HloOpcode::kShiftRightArithmetic:
      return b.CreateAShr(x[0],
                          b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x[1],
                                                  Const(x[1], bits - 1)));
    case HloOpcode::kShiftRightLogical:
      return or_zero(b.CreateLShr(x[0], x[1]));
    case HloOpcode::kXor:
      return b.CreateXor(x[0], x[1]);
    default:
      return nullptr;
  }
}

llvm::Value* EmitReducePrecision(llvm::IRBuilder<>& b, llvm::Value* bits,
                                 int source_exponent_bits,
                                 int source_mantissa_bits, int exponent_bits,
                                 int mantissa_bits) {
  const uint64_t sign_bit = uint64_t{1} << (BitsOf(bits) - 1);
  const uint64_t infinity = ((uint64_t{1} << source_exponent_bits) - 1)
                            << source_mantissa_bits;
  llvm::Value* sign = b.CreateAnd(bits, Const(bits, sign_bit));
  llvm::Value* magnitude = b.CreateAnd(bits, Const(bits, sign_bit - 1));
  llvm::Value* is_nan = b.CreateICmpUGT(magnitude, Const(bits, infinity));
  if (mantissa_bits < source_mantissa_bits) {
    const int drop = source_mantissa_bits - mantissa_bits;
    llvm::Value* last =
        b.CreateAnd(b.CreateLShr(magnitude, drop), Const(bits, 1));
    const uint64_t below_half = (uint64_t{1} << (drop - 1)) - 1;
    magnitude =
        b.CreateAdd(b.CreateAdd(magnitude, Const(bits, below_half)), last);
    magnitude = b.CreateAnd(magnitude, Const(bits, ~uint64_t{0} << drop));
  }
  if (exponent_bits < source_exponent_bits) {
    const int64_t bias = (int64_t{1} << (source_exponent_bits - 1)) - 1;
    const int64_t reduced_bias = (int64_t{1} << (exponent_bits - 1)) - 1;
    auto first_with = [&](int64_t exponent) {
      return Const(bits, static_cast<uint64_t>(exponent + bias)
                             << source_mantissa_bits);
    };
    llvm::Value* is_large =
        b.CreateICmpUGE(magnitude, first_with(reduced_bias + 1));
    llvm::Value* is_small =
        b.CreateICmpULT(magnitude, first_with(1 - reduced_bias));
    magnitude = b.CreateSelect(is_large, Const(bits, infinity), magnitude);
    magnitude = b.CreateSelect(is_small, Const(bits, 0), magnitude);
  }
  // A NaN keeps its top mantissa bits and becomes quiet. A format without
  // mantissa bits has no NaN: infinity takes its place.
  llvm::Value* nan = Const(bits, infinity);
  if (mantissa_bits > 0) {
    nan = b.CreateOr(bits,
                     Const(bits, uint64_t{1} << (source_mantissa_bits - 1)));
  }
  return b.CreateSelect(is_nan, nan, b.CreateOr(sign, magnitude));
}

// Source: StochasticRound in the evaluator.
llvm::Value* EmitStochasticRound(EmitContext& context, llvm::Value* x,
                                 llvm::Value* random, PrimitiveType to) {
  llvm::IRBuilder<>& b = context.b;
  const int random_bits = BitsOf(random);
  llvm::Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* scaled = magnitude;
  llvm::Value* inverse_scale = nullptr;
  double digits_scale = 1;
  if (primitive_util::IsFloatingPointType(to)) {
    // Work in units of the distance between neighbors, 2^(exponent - mantissa
    // bits). The scale is 2^(1 - exponent), which is normal for all exponents.
    const int lowest_field = primitive_util::UnderflowExponent(to) - 1 + 1023;
    llvm::Value* bits = b.CreateBitCast(magnitude, IntLike(b, x, 64));
    llvm::Value* field =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, b.CreateLShr(bits, 52),
                                Const(bits, std::max(lowest_field, 1)));
    llvm::Value* scale_bits =
        b.CreateShl(b.CreateSub(Const(bits, 2047), field), 52);
    inverse_scale = b.CreateBitCast(scale_bits, x->getType());
    digits_scale = std::ldexp(1.0, primitive_util::SignificandWidth(to) - 2);
    scaled = b.CreateFMul(b.CreateFMul(magnitude, inverse_scale),
                          FloatConst(x, digits_scale));
  }
  llvm::Value* whole = MathFor(context).Floor(scaled);
  llvm::Value* threshold =
      b.CreateFPToUI(b.CreateFMul(b.CreateFSub(scaled, whole),
                                  FloatConst(x, std::ldexp(1.0, random_bits))),
                     IntLike(b, x, 64));
  llvm::Value* up = b.CreateICmpULT(ResizeInt(b, random, 64, false), threshold);
  llvm::Value* rounded =
      b.CreateSelect(up, b.CreateFAdd(whole, FloatConst(x, 1)), whole);
  if (inverse_scale != nullptr) {
    rounded = b.CreateFDiv(
        b.CreateFMul(rounded, FloatConst(x, 1 / digits_scale)), inverse_scale);
  }
  rounded = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rounded, x);
  llvm::Value* is_finite =
      b.CreateFCmpOLT(magnitude, llvm::ConstantFP::getInfinity(x->getType()));
  return b.CreateSelect(is_finite, rounded, x);
}

}  // namespace xla::cpu
