// Addresses of arrays, made in the entry block of the function.
#include "xla/backends/cpu/codegen/kernel_arrays.h"

#include "llvm/IR/Metadata.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// pointers[number], which does not change.
llvm::Value* LoadPointerHere(llvm::IRBuilder<>& b, llvm::Value* pointers,
                             int64_t number) {
  llvm::Type* pointer = b.getPtrTy();
  llvm::LoadInst* load = b.CreateLoad(
      pointer, b.CreateConstInBoundsGEP1_64(pointer, pointers, number));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(b.getContext(), {}));
  return load;
}

// The same in the entry block.
llvm::Value* LoadPointer(llvm::IRBuilder<>& b, llvm::Value* pointers,
                         int64_t number) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
  return LoadPointerHere(at_entry, pointers, number);
}

}  // namespace

llvm::Value* KernelArrays::Local(int64_t buffer, const LocalBuffer& local) {
  llvm::Value*& memory = locals_[buffer];
  if (memory == nullptr) {
    llvm::Type* type = MemoryType(b_.getContext(), local.type);
    const int64_t element_bytes = type->getPrimitiveSizeInBits() / 8;
    memory = EntryAlloca(
        b_, type, std::max<int64_t>(1, local.slice.size / element_bytes), 64);
  }
  return memory;
}

void KernelArrays::LoadLocals() {
  for (const auto& [buffer, local] : local_buffers_) {
    if (!local.loaded) continue;
    b_.CreateMemCpy(Local(buffer, local), llvm::Align(64), Address(local.slice),
                    llvm::Align(assignment_.alignment()), local.slice.size);
  }
}

void KernelArrays::StoreLocals() {
  for (const auto& [buffer, local] : local_buffers_) {
    if (!local.stored) continue;
    b_.CreateMemCpy(Address(local.slice), llvm::Align(assignment_.alignment()),
                    Local(buffer, local), llvm::Align(64), local.slice.size);
  }
}

llvm::Value* KernelArrays::Address(const BufferSlice& slice) {
  llvm::Value* base = Base(slice.allocation);
  if (slice.offset == 0) return base;
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, slice.offset);
}

llvm::Value* KernelArrays::Base(int64_t allocation) {
  if (load_late_ && assignment_.allocations()[allocation].kind !=
                        BufferAssignment::Kind::kTemp) {
    return LoadPointerHere(b_, allocations_, allocation);
  }
  llvm::Value*& base = bases_[allocation];
  if (base == nullptr) base = LoadPointer(b_, allocations_, allocation);
  return base;
}

llvm::Value* KernelArrays::OwnArray(const HloInstruction* instruction,
                                    int64_t leaf) {
  int64_t number = leaf;
  for (const HloInstruction* operand : own_arrays_of_->operands()) {
    if (operand == instruction) break;
    number += LeafCount(operand->shape());
  }
  return Base(number);
}

// Nothing in the program writes there.
bool KernelArrays::IsConstantMemory(const BufferSlice& slice) const {
  const BufferAssignment::Allocation& allocation =
      assignment_.allocations()[slice.allocation];
  if (allocation.kind == BufferAssignment::Kind::kConstant) return true;
  if (allocation.kind != BufferAssignment::Kind::kParameter) return false;
  for (const auto& [x, y] : aliased_) {
    if (x == slice.allocation || y == slice.allocation) return false;
  }
  return true;
}

absl::StatusOr<IrArray> KernelArrays::ArrayOf(const HloInstruction* instruction,
                                              int64_t leaf) {
  const Shape* shape = Leaves(instruction->shape())[leaf];
  const BufferSlice& slice = assignment_.slice(instruction, leaf);
  const int64_t buffer = assignment_.buffer_id(instruction, leaf);
  auto local = local_buffers_.find(buffer);
  if (local != local_buffers_.end()) {
    return IrArray(Local(buffer, local->second), shape);
  }
  if (slice.allocation < 0) {
    // Without elements: nothing is ever read or written there.
    return IrArray(llvm::ConstantPointerNull::get(b_.getPtrTy()), shape);
  }
  // Hosts hand over arrays wherever these are; all other memory is ours.
  const bool is_parameter = assignment_.allocations()[slice.allocation].kind ==
                            BufferAssignment::Kind::kParameter;
  llvm::Value* address =
      own_arrays_of_ == nullptr ? Address(slice) : OwnArray(instruction, leaf);
  IrArray array(address, shape,
                is_parameter
                    ? ShapeUtil::ByteSizeOfPrimitiveType(shape->element_type())
                    : assignment_.alignment());
  array.set_invariant(invariant_ || IsConstantMemory(slice));
  return array;
}

bool KernelArrays::SameMemory(const HloInstruction* x, int64_t x_leaf,
                              const HloInstruction* y, int64_t y_leaf) {
  const int64_t x_buffer = assignment_.buffer_id(x, x_leaf);
  const int64_t y_buffer = assignment_.buffer_id(y, y_leaf);
  if (x_buffer == y_buffer) return true;
  if (local_buffers_.contains(x_buffer) || local_buffers_.contains(y_buffer)) {
    return false;
  }
  const BufferSlice& a = assignment_.slice(x, x_leaf);
  const BufferSlice& c = assignment_.slice(y, y_leaf);
  return a.Overlaps(c) || aliased_.contains({a.allocation, c.allocation}) ||
         aliased_.contains({c.allocation, a.allocation});
}

int64_t OperandArrays::NumberOf(const HloInstruction* instruction) const {
  if (instruction == &instruction_) return overwritten_;
  int64_t number = 0;
  while (instruction_.operand(number) != instruction) ++number;
  return number;
}

absl::StatusOr<IrArray> OperandArrays::ArrayOf(
    const HloInstruction* instruction, int64_t leaf) {
  const Shape& shape = instruction->shape();
  IrArray array(LoadPointer(b_, operands_, NumberOf(instruction)), &shape,
                ShapeUtil::ByteSizeOfPrimitiveType(shape.element_type()));
  array.set_invariant(true);
  return array;
}

bool OperandArrays::SameMemory(const HloInstruction* x, int64_t x_leaf,
                               const HloInstruction* y, int64_t y_leaf) {
  return NumberOf(x) == NumberOf(y);
}

}  // namespace xla::cpu
