// Elements as other types of the same bits: bitcast-convert, also between types
// of different widths, where the narrow side has one more dimension.
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

// The reverse; of pred, any byte but 0 is true.
llvm::Value* FromBits(llvm::IRBuilder<>& b, PrimitiveType type,
                      llvm::Value* bits) {
  if (type == PRED) return FromMemory(b, PRED, bits);
  llvm::Type* registers = RegisterType(b.getContext(), type);
  return b.CreateBitCast(bits, WithLanes(registers, LanesOf(bits)));
}

}  // namespace

absl::StatusOr<Element> ElementalEmitter::EmitBitcastConvert(
    const HloInstruction* instruction, LaneIndex& index) {
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
  const TermBuilder t(b(), index.lanes);
  LaneIndex source{.lanes = index.lanes, .terms = index.terms};
  if (from_bits > to_bits) {
    // Part p of an element: the low bits come first.
    const IndexTerm part = source.terms.back();
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
    LaneIndex at = source;
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
