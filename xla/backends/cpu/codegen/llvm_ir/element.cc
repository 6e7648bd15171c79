// The types of elements in registers and in memory, and conversions between
// them.
#include "xla/backends/cpu/codegen/llvm_ir/element.h"

#include "xla/core/primitive_util.h"

namespace xla::cpu {

llvm::Type* RegisterType(llvm::LLVMContext& context, PrimitiveType type) {
  switch (type) {
    case F32:
    case C64:
      return llvm::Type::getFloatTy(context);
    case F64:
    case C128:
      return llvm::Type::getDoubleTy(context);
    default:
      return llvm::Type::getIntNTy(context, primitive_util::BitWidth(type));
  }
}

llvm::Type* MemoryType(llvm::LLVMContext& context, PrimitiveType type) {
  if (primitive_util::BitWidth(type) < 8) {
    return llvm::Type::getInt8Ty(context);
  }
  return RegisterType(context, type);
}

llvm::Type* WithLanes(llvm::Type* scalar, int lanes) {
  if (lanes == 1) return scalar;
  return llvm::FixedVectorType::get(scalar, lanes);
}

int LanesOf(const llvm::Value* value) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector == nullptr ? 1 : static_cast<int>(vector->getNumElements());
}

llvm::Value* Splat(llvm::IRBuilder<>& b, llvm::Value* value, int lanes) {
  if (lanes == 1 || value->getType()->isVectorTy()) return value;
  return b.CreateVectorSplat(lanes, value);
}

Element Splat(llvm::IRBuilder<>& b, Element element, int lanes) {
  element.value = Splat(b, element.value, lanes);
  if (element.imag != nullptr) element.imag = Splat(b, element.imag, lanes);
  return element;
}

llvm::Value* FromMemory(llvm::IRBuilder<>& b, PrimitiveType type,
                        llvm::Value* memory) {
  if (type == PRED) {
    return b.CreateICmpNE(memory,
                          llvm::Constant::getNullValue(memory->getType()));
  }
  llvm::Type* registers = RegisterType(b.getContext(), type);
  if (registers->isFloatingPointTy()) return memory;
  return b.CreateTrunc(memory, WithLanes(registers, LanesOf(memory)));
}

llvm::Value* ToMemory(llvm::IRBuilder<>& b, PrimitiveType type,
                      llvm::Value* registers) {
  llvm::Type* memory = MemoryType(b.getContext(), type);
  if (memory->isFloatingPointTy()) return registers;
  return b.CreateZExt(registers, WithLanes(memory, LanesOf(registers)));
}

}  // namespace xla::cpu
