// Elements of literals as constants, and the multiply-add of dots.
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/APFloat.h"
#include "xla/backends/cpu/codegen/elementwise/convert.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/small_float.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

using primitive_util::IsComplexType;

PrimitiveType PartType(PrimitiveType type) {
  return IsComplexType(type) ? primitive_util::ComplexComponentType(type)
                             : type;
}

// The number stored in the `bytes` bytes at `memory`.
uint64_t ReadBits(const char* memory, int bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory, bytes);
  return bits;
}

// The real part at `memory`, in its register type.
llvm::Constant* ConstantPart(llvm::LLVMContext& context, PrimitiveType type,
                             const char* memory) {
  const uint64_t bits = ReadBits(memory, primitive_util::ByteWidth(type));
  llvm::Type* result = RegisterType(context, type);
  if (type == F32) {
    return llvm::ConstantFP::get(
        result,
        llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits)));
  }
  if (type == F64) {
    return llvm::ConstantFP::get(
        result,
        llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, bits)));
  }
  return llvm::ConstantInt::get(result, type == PRED ? bits != 0 : bits);
}

}  // namespace

Element ConstantElement(llvm::LLVMContext& context, const LiteralSlice& literal,
                        int64_t linear_index) {
  const PrimitiveType type = literal.shape().element_type();
  const PrimitiveType part = PartType(type);
  const int part_bytes = primitive_util::ByteWidth(part);
  const char* memory = static_cast<const char*>(literal.untyped_data());
  if (!IsComplexType(type)) {
    return {ConstantPart(context, part, memory + linear_index * part_bytes)};
  }
  memory += 2 * linear_index * part_bytes;
  return {ConstantPart(context, part, memory),
          ConstantPart(context, part, memory + part_bytes)};
}

absl::StatusOr<llvm::Constant*> ConstantArray(llvm::LLVMContext& context,
                                              const LiteralSlice& literal) {
  if (!literal.shape().IsArray()) {
    return absl::UnimplementedError(
        absl::StrCat("constant: a global of shape ",
                     ShapeUtil::HumanString(literal.shape())));
  }
  const PrimitiveType part = PartType(literal.shape().element_type());
  // Literals have the same bytes as arrays in memory.
  const llvm::StringRef bytes(static_cast<const char*>(literal.untyped_data()),
                              literal.size_bytes());
  return llvm::ConstantDataArray::getRaw(
      bytes, bytes.size() / primitive_util::ByteWidth(part),
      MemoryType(context, part));
}

PrimitiveType AccumulatorType(PrimitiveType lhs, PrimitiveType rhs,
                              PrimitiveType result) {
  const auto is_either = [&](auto predicate) {
    return predicate(lhs) || predicate(rhs);
  };
  const auto is_double = [](PrimitiveType t) { return t == F64 || t == C128; };
  const bool wide = is_either(is_double) || is_double(result);
  if (is_either(IsComplexType)) return wide ? C128 : C64;
  if (is_either(primitive_util::IsFloatingPointType)) return wide ? F64 : F32;
  if (primitive_util::IsIntegralType(result)) return result;
  if (lhs == PRED && rhs == PRED && result == PRED) return PRED;
  return is_either([](PrimitiveType t) { return t == U64; }) ? U64 : S64;
}

Element ZeroElement(llvm::LLVMContext& context, PrimitiveType type) {
  llvm::Type* part = RegisterType(context, type);
  llvm::Constant* zero = llvm::Constant::getNullValue(part);
  if (IsSmallFloat(type)) {
    zero = llvm::ConstantInt::get(part, BitsOfZero(SmallFormatOf(type)));
  }
  return {zero, IsComplexType(type) ? zero : nullptr};
}

absl::StatusOr<Element> EmitMultiplyAdd(EmitContext& context,
                                        PrimitiveType type, const Element& x,
                                        const Element& y, const Element& sum) {
  llvm::IRBuilder<>& b = context.b;
  // a * b + c, with the product negated if `negate`.
  auto fused = [&](llvm::Value* a, llvm::Value* m, llvm::Value* c,
                   bool negate = false) {
    if (negate) a = b.CreateFNeg(a);
    if (!context.target.has_fma) return b.CreateFAdd(b.CreateFMul(a, m), c);
    return static_cast<llvm::Value*>(
        b.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, m, c}));
  };
  if (IsComplexType(type)) {
    llvm::Value* real = fused(x.value, y.value, sum.value);
    llvm::Value* imag = fused(x.value, y.imag, sum.imag);
    return Element{fused(x.imag, y.imag, real, /*negate=*/true),
                   fused(x.imag, y.value, imag)};
  }
  if (type == F32 || type == F64) {
    return Element{fused(x.value, y.value, sum.value)};
  }
  if (type == PRED) {
    return Element{b.CreateOr(b.CreateAnd(x.value, y.value), sum.value)};
  }
  if (primitive_util::IsIntegralType(type)) {
    return Element{b.CreateAdd(b.CreateMul(x.value, y.value), sum.value)};
  }
  return absl::UnimplementedError(
      absl::StrCat("multiply-add: no accumulator of type ",
                   primitive_util::LowercasePrimitiveTypeName(type)));
}

}  // namespace xla::cpu
