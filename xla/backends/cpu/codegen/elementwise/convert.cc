// Conversions by family: integers, floats, pred, and complex numbers by part.
#include "xla/backends/cpu/codegen/elementwise/convert.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/backends/cpu/codegen/elementwise/small_float.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

using primitive_util::IsComplexType;
using primitive_util::IsFloatingPointType;
using primitive_util::IsSignedIntegralType;

// Folds the bits of `value` below its `digits` highest digits into the lowest
// of these (a sticky bit). The result has few enough digits to be exact as a
// float, and lies on the same side of every number of a much smaller float
// format.
llvm::Value* FoldLowBits(llvm::IRBuilder<>& b, llvm::Value* value,
                         bool is_signed, int digits) {
  const int bits = BitsOf(value);
  const int low_bits = bits - digits + 1;
  const uint64_t low_mask = (uint64_t{1} << low_bits) - 1;
  llvm::Value* low = b.CreateAnd(value, Const(value, low_mask));
  llvm::Value* sticky =
      b.CreateSelect(b.CreateICmpNE(low, Const(low, 0)),
                     Const(low, uint64_t{1} << (low_bits - 1)), Const(low, 0));
  llvm::Value* folded =
      b.CreateOr(b.CreateAnd(value, Const(value, ~low_mask)), sticky);
  // Numbers with few digits stay as they are.
  llvm::Value* is_short;
  const uint64_t end = uint64_t{1} << digits;
  if (is_signed) {
    is_short = b.CreateICmpULT(b.CreateAdd(value, Const(value, end)),
                               Const(value, 2 * end));
  } else {
    is_short = b.CreateICmpULT(value, Const(value, end));
  }
  return b.CreateSelect(is_short, value, folded);
}

llvm::Value* IntToFloat(EmitContext& context, llvm::Value* value,
                        bool is_signed, PrimitiveType to) {
  llvm::IRBuilder<>& b = context.b;
  if (BitsOf(value) < 32) {
    value = ResizeInt(b, value, 32, is_signed);
    is_signed = true;
  } else if (IsSmallFloat(to)) {
    value = FoldLowBits(b, value, is_signed, BitsOf(value) == 64 ? 53 : 24);
  }
  const bool wide = to == F64 || (IsSmallFloat(to) && BitsOf(value) == 64);
  llvm::Type* type = LanesLike(value, wide ? b.getDoubleTy() : b.getFloatTy());
  llvm::Value* x =
      is_signed ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
  return IsSmallFloat(to) ? FloatToSmall(context, x, to) : x;
}

// Truncates towards zero and saturates at the limits; NaN gives 0.
llvm::Value* FloatToInt(llvm::IRBuilder<>& b, llvm::Value* x, int bits,
                        bool is_signed) {
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  const double low = is_signed ? -end : 0;
  const int native = std::max(bits, 32);
  llvm::Type* type = IntLike(b, x, native);
  llvm::Value* result;
  if (bits < native) {
    // In this order: aarch64's maximum makes a quiet NaN of a signaling one,
    // which a minimum behind it would take for a large number.
    llvm::Value* lowered = LowerTo(b, x, end - 1);
    result = b.CreateFPToSI(RaiseTo(b, lowered, low), type);
  } else {
    // Out of range the instruction gives poison, which the select discards.
    llvm::Value* raised = RaiseTo(b, x, low);
    result =
        is_signed ? b.CreateFPToSI(raised, type) : b.CreateFPToUI(raised, type);
    const uint64_t highest = ~uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
    result = b.CreateSelect(b.CreateFCmpOGE(x, FloatConst(x, end)),
                            llvm::ConstantInt::get(type, highest), result);
  }
  if (is_signed) {
    result = b.CreateSelect(b.CreateFCmpUNO(x, x),
                            llvm::Constant::getNullValue(type), result);
  }
  return b.CreateTrunc(result, IntLike(b, x, bits));
}

llvm::Value* PredTo(EmitContext& context, llvm::Value* pred, PrimitiveType to) {
  llvm::IRBuilder<>& b = context.b;
  if (!IsFloatingPointType(to)) {
    return ResizeInt(b, pred, primitive_util::BitWidth(to), false);
  }
  llvm::Type* type = LanesLike(pred, RegisterType(b.getContext(), to));
  if (!IsSmallFloat(to)) {
    return b.CreateSelect(pred, llvm::ConstantFP::get(type, 1.0),
                          llvm::ConstantFP::get(type, 0.0));
  }
  const SmallFormat format = SmallFormatOf(to);
  return b.CreateSelect(pred, llvm::ConstantInt::get(type, BitsOfOne(format)),
                        llvm::ConstantInt::get(type, BitsOfZero(format)));
}

llvm::Value* FloatTo(EmitContext& context, llvm::Value* x, PrimitiveType to) {
  llvm::IRBuilder<>& b = context.b;
  if (to == PRED) return b.CreateFCmpUNE(x, FloatConst(x, 0));
  if (IsSmallFloat(to)) return FloatToSmall(context, x, to);
  if (!IsFloatingPointType(to)) {
    return FloatToInt(b, x, primitive_util::BitWidth(to),
                      IsSignedIntegralType(to));
  }
  llvm::Type* type = LanesLike(x, RegisterType(b.getContext(), to));
  if (x->getType() == type) return x;
  return to == F64 ? b.CreateFPExt(x, type) : b.CreateFPTrunc(x, type);
}

}  // namespace

PrimitiveType ComputeType(PrimitiveType type) {
  return IsSmallFloat(type) ? F32 : type;
}

llvm::Value* ResizeInt(llvm::IRBuilder<>& b, llvm::Value* value, int bits,
                       bool is_signed) {
  return b.CreateIntCast(value, IntLike(b, value, bits), is_signed);
}

llvm::Value* ConvertReal(EmitContext& context, PrimitiveType from,
                         PrimitiveType to, llvm::Value* value) {
  llvm::IRBuilder<>& b = context.b;
  if (from == to) return value;
  if (from == PRED) return PredTo(context, value, to);
  if (IsFloatingPointType(from)) {
    if (IsSmallFloat(from)) value = SmallToFloat(context, from, value);
    return FloatTo(context, value, to);
  }
  if (to == PRED) return b.CreateICmpNE(value, Const(value, 0));
  const bool is_signed = IsSignedIntegralType(from);
  if (IsFloatingPointType(to)) {
    return IntToFloat(context, value, is_signed, to);
  }
  return ResizeInt(b, value, primitive_util::BitWidth(to), is_signed);
}

absl::StatusOr<Element> EmitConvert(EmitContext& context, PrimitiveType from,
                                    PrimitiveType to, Element element) {
  if (!primitive_util::IsArrayType(from) || !primitive_util::IsArrayType(to)) {
    return absl::UnimplementedError(absl::StrCat(
        "convert: from ", primitive_util::LowercasePrimitiveTypeName(from),
        " to ", primitive_util::LowercasePrimitiveTypeName(to)));
  }
  if (from == to) return element;
  if (!IsComplexType(from)) {
    if (!IsComplexType(to)) {
      return Element{ConvertReal(context, from, to, element.value)};
    }
    llvm::Value* real = ConvertReal(
        context, from, primitive_util::ComplexComponentType(to), element.value);
    return Element{real, FloatConst(real, 0)};
  }
  const PrimitiveType part = primitive_util::ComplexComponentType(from);
  if (IsComplexType(to)) {
    const PrimitiveType to_part = primitive_util::ComplexComponentType(to);
    return Element{ConvertReal(context, part, to_part, element.value),
                   ConvertReal(context, part, to_part, element.imag)};
  }
  return Element{ConvertReal(context, part, to, element.value)};
}

}  // namespace xla::cpu
