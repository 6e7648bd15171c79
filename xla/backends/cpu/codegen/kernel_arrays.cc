// Addresses of arrays, made in the entry block of the function.
#include "xla/backends/cpu/codegen/kernel_arrays.h"

#include "llvm/IR/Metadata.h"
#include "xla/backends/cpu/codegen/loops.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

bool Overlap(const BufferSlice& x, const BufferSlice& y) {
  return x.allocation == y.allocation && x.offset < y.offset + y.size &&
         y.offset < x.offset + x.size;
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
  llvm::Value*& base = bases_[allocation];
  if (base == nullptr) {
    llvm::BasicBlock& entry = b_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
    llvm::Type* pointer = at_entry.getPtrTy();
    llvm::LoadInst* load = at_entry.CreateLoad(
        pointer,
        at_entry.CreateConstInBoundsGEP1_64(pointer, allocations_, allocation));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(b_.getContext(), {}));
    base = load;
  }
  return base;
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
  IrArray array(Address(slice), shape,
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
  return Overlap(a, c) || aliased_.contains({a.allocation, c.allocation}) ||
         aliased_.contains({c.allocation, a.allocation});
}

}  // namespace xla::cpu
