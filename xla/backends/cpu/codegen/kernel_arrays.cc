// Emits addresses of arrays, in the entry block of the function or where they
// are needed.
#include "xla/backends/cpu/codegen/kernel_arrays.h"

#include <algorithm>

#include "llvm/IR/Metadata.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// Emits a load of pointers[number], which does not change.
llvm::Value* LoadPointerHere(llvm::IRBuilder<>& b, llvm::Value* pointers,
                             int64_t number) {
  llvm::Type* pointer = b.getPtrTy();
  llvm::LoadInst* load = b.CreateLoad(
      pointer, b.CreateConstInBoundsGEP1_64(pointer, pointers, number));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(b.getContext(), {}));
  return load;
}

// Emits the load in the entry block.
llvm::Value* LoadPointer(llvm::IRBuilder<>& b, llvm::Value* pointers,
                         int64_t number) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
  return LoadPointerHere(at_entry, pointers, number);
}

}  // namespace

const LocalBuffer* KernelArrays::LocalAt(
    const KernelFrame::Place& place) const {
  auto it = spec_.local_buffers.find(place.buffer);
  return it == spec_.local_buffers.end() ? nullptr : &it->second;
}

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
  for (const auto& [buffer, local] : spec_.local_buffers) {
    if (!local.loaded) continue;
    const KernelFrame::Place& place = spec_.frame.local_place(buffer);
    b_.CreateMemCpy(Local(buffer, local), llvm::Align(64), Address(place),
                    llvm::Align(spec_.frame.arrays()[place.array].alignment),
                    place.size);
  }
}

void KernelArrays::StoreLocals() {
  for (const auto& [buffer, local] : spec_.local_buffers) {
    if (!local.stored) continue;
    const KernelFrame::Place& place = spec_.frame.local_place(buffer);
    b_.CreateMemCpy(Address(place),
                    llvm::Align(spec_.frame.arrays()[place.array].alignment),
                    Local(buffer, local), llvm::Align(64), place.size);
  }
}

llvm::Value* KernelArrays::Address(const KernelFrame::Place& place) {
  const int64_t whole = spec_.frame.arrays()[place.array].slice.size;
  if (load_late_ && place.size == whole) {
    return LoadPointerHere(b_, arrays_, place.array);
  }
  llvm::Value* base = Base(place.array);
  if (place.offset == 0) return base;
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, place.offset);
}

llvm::Value* KernelArrays::Base(int64_t number) {
  llvm::Value*& base = bases_[number];
  if (base == nullptr) base = LoadPointer(b_, arrays_, number);
  return base;
}

void KernelArrays::LoadColumnRange(llvm::Value* (&range)[2]) {
  const int64_t number = spec_.frame.column_range();
  if (number < 0) return;
  llvm::Type* i64 = b_.getInt64Ty();
  for (int i = 0; i < 2; ++i) {
    range[i] =
        b_.CreateLoad(i64, b_.CreateConstInBoundsGEP1_64(i64, Base(number), i));
  }
}

IrArray KernelArrays::ArrayNumber(int64_t number, const Shape* shape) {
  IrArray array(Base(number), shape, spec_.frame.arrays()[number].alignment);
  array.set_invariant(spec_.frame.IsInvariant(number));
  return array;
}

absl::StatusOr<IrArray> KernelArrays::ArrayOf(const HloInstruction* instruction,
                                              int64_t leaf) {
  const Shape* shape = Leaves(instruction->shape())[leaf];
  const KernelFrame::Place& place = spec_.frame.place(instruction, leaf);
  if (const LocalBuffer* local = LocalAt(place)) {
    return IrArray(Local(place.buffer, *local), shape);
  }
  if (place.array < 0) {
    // The array has no elements, so nothing is ever read or written there.
    return IrArray(llvm::ConstantPointerNull::get(b_.getPtrTy()), shape);
  }
  IrArray array(Address(place), shape,
                spec_.frame.arrays()[place.array].alignment);
  array.set_invariant(spec_.frame.IsInvariant(place.array));
  return array;
}

bool KernelArrays::SameMemory(const HloInstruction* x, int64_t x_leaf,
                              const HloInstruction* y, int64_t y_leaf) {
  const KernelFrame::Place& a = spec_.frame.place(x, x_leaf);
  const KernelFrame::Place& c = spec_.frame.place(y, y_leaf);
  if (LocalAt(a) != nullptr || LocalAt(c) != nullptr) {
    return a.buffer == c.buffer;
  }
  return spec_.frame.MayShareMemory(a, c);
}

}  // namespace xla::cpu
