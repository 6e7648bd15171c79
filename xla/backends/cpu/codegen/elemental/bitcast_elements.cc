// Elements as other types with the same bits: bitcast-convert, also between
// types of different widths, where the narrow side has one more dimension.
#include <algorithm>

#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// The bits of a register, as an integer of StorageBitWidth(type); pred is a
// byte that is 0 or 1.
llvm::Value* ToBits(llvm::IRBuilder<>& b, PrimitiveType element_type,
                    llvm::Value* value) {
  if (element_type == PRED) return ToMemory(b, PRED, value);
  llvm::Type* type = value->getType();
  if (!type->isFPOrFPVectorTy()) return value;
  llvm::Type* bits = b.getIntNTy(type->getScalarSizeInBits());
  return b.CreateBitCast(value, WithLanes(bits, LanesOf(value)));
}

// The inverse; for pred, any nonzero byte is true.
llvm::Value* FromBits(llvm::IRBuilder<>& b, PrimitiveType type,
                      llvm::Value* bits) {
  if (type == PRED) return FromMemory(b, PRED, bits);
  llvm::Type* registers = RegisterType(b.getContext(), type);
  return b.CreateBitCast(bits, WithLanes(registers, LanesOf(bits)));
}

bool IsBetweenComplexTypes(const HloInstruction& hlo) {
  const PrimitiveType from = hlo.operand(0)->shape().element_type();
  const PrimitiveType to = hlo.shape().element_type();
  return from != to && primitive_util::IsComplexType(from) &&
         primitive_util::IsComplexType(to);
}

// Joins two c64 parts to half of a c128: the real part is in the low bits.
llvm::Value* Join(llvm::IRBuilder<>& b, Element narrow) {
  llvm::Type* wide = WithLanes(b.getInt64Ty(), LanesOf(narrow.value));
  const auto bits = [&](llvm::Value* part) {
    llvm::Type* type = WithLanes(b.getInt32Ty(), LanesOf(part));
    return b.CreateZExt(b.CreateBitCast(part, type), wide);
  };
  llvm::Value* joined =
      b.CreateOr(bits(narrow.value), b.CreateShl(bits(narrow.imag), 32));
  return b.CreateBitCast(joined, WithLanes(b.getDoubleTy(), LanesOf(joined)));
}

Element Split(llvm::IRBuilder<>& b, llvm::Value* bits) {
  llvm::Type* part = WithLanes(b.getInt32Ty(), LanesOf(bits));
  llvm::Type* number = WithLanes(b.getFloatTy(), LanesOf(bits));
  llvm::Value* low = b.CreateTrunc(bits, part);
  llvm::Value* high = b.CreateTrunc(b.CreateLShr(bits, 32), part);
  return {b.CreateBitCast(low, number), b.CreateBitCast(high, number)};
}

}  // namespace

absl::StatusOr<Element> ElementalEmitter::EmitComplexBitcast(
    const HloInstruction* instruction, VectorIndex& index) {
  const HloInstruction* operand = instruction->operand(0);
  index.MakeTerms(b(), instruction->shape().dimensions());
  const AffineIndexBuilder t(b(), index.lanes);
  VectorIndex source{.lanes = index.lanes, .terms = index.terms};
  if (instruction->shape().element_type() == C64) {
    const AffineIndex part = source.terms.back();
    source.terms.pop_back();
    if (source.terms.empty()) source.linear = t.Constant(0);
    TF_ASSIGN_OR_RETURN(Element wide, Emit(operand, std::move(source)));
    llvm::Type* type = WithLanes(b().getInt64Ty(), index.lanes);
    const auto bits = [&](llvm::Value* half) {
      return b().CreateBitCast(Splat(b(), half, index.lanes), type);
    };
    llvm::Value* imaginary = b().CreateICmpNE(
        b().CreateIntCast(t.Materialize(part), type, /*isSigned=*/false),
        llvm::Constant::getNullValue(type));
    return Split(
        b(), b().CreateSelect(imaginary, bits(wide.imag), bits(wide.value)));
  }
  Element halves[2];
  for (int p = 0; p < 2; ++p) {
    VectorIndex at = source;
    at.linear.reset();
    at.terms.push_back(t.Constant(p));
    TF_ASSIGN_OR_RETURN(Element narrow, Emit(operand, std::move(at)));
    halves[p] = {Splat(b(), narrow.value, index.lanes),
                 Splat(b(), narrow.imag, index.lanes)};
  }
  return Element{Join(b(), halves[0]), Join(b(), halves[1])};
}

absl::StatusOr<Element> ElementalEmitter::EmitBitcastConvert(
    const HloInstruction* instruction, VectorIndex& index) {
  if (IsBetweenComplexTypes(*instruction)) {
    return EmitComplexBitcast(instruction, index);
  }

  const HloInstruction* operand = instruction->operand(0);
  const PrimitiveType from = operand->shape().element_type();
  const PrimitiveType to = instruction->shape().element_type();
  const int from_bits = primitive_util::StorageBitWidth(from);
  const int to_bits = primitive_util::StorageBitWidth(to);
  if (primitive_util::IsComplexType(from) ||
      primitive_util::IsComplexType(to) || from_bits == to_bits) {
    return EmitOperandwise(instruction, index);
  }
  index.MakeTerms(b(), instruction->shape().dimensions());
  const AffineIndexBuilder t(b(), index.lanes);
  VectorIndex source{.lanes = index.lanes, .terms = index.terms};
  if (from_bits > to_bits) {
    // Part p of an element: the low bits come first.
    const AffineIndex part = source.terms.back();
    source.terms.pop_back();
    if (source.terms.empty()) source.linear = t.Constant(0);
    TF_ASSIGN_OR_RETURN(Element wide, Emit(operand, std::move(source)));
    llvm::Value* bits = ToBits(b(), from, wide.value);
    llvm::Value* shift = b().CreateIntCast(
        t.Materialize(t.Multiply(part, to_bits)), bits->getType(), false);
    llvm::Type* narrow = WithLanes(b().getIntNTy(to_bits), index.lanes);
    bits = b().CreateTrunc(b().CreateLShr(bits, shift), narrow);
    return Element{FromBits(b(), to, bits)};
  }
  llvm::Type* wide = WithLanes(b().getIntNTy(to_bits), index.lanes);
  llvm::Value* bits = llvm::Constant::getNullValue(wide);
  for (int p = 0; p < to_bits / from_bits; ++p) {
    VectorIndex at = source;
    at.linear.reset();
    at.terms.push_back(t.Constant(p));
    TF_ASSIGN_OR_RETURN(Element part, Emit(operand, std::move(at)));
    llvm::Value* extended = b().CreateZExt(
        ToBits(b(), from, Splat(b(), part.value, index.lanes)), wide);
    bits = b().CreateOr(bits, b().CreateShl(extended, p * from_bits));
  }
  return Element{FromBits(b(), to, bits)};
}

}  // namespace xla::cpu
