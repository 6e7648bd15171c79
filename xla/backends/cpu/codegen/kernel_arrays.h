// Where arrays lie in one native function: in the allocations that it is given,
// or on its stack (KernelArrays), or wherever it is told (OperandArrays).
#ifndef XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_
#define XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_

#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/hlo/analysis/buffer_assignment.h"

namespace xla::cpu {

// Pairs of allocations that may be one memory at run time: an output and the
// parameter that is donated to it.
using AliasedAllocations = absl::flat_hash_set<std::pair<int64_t, int64_t>>;

class KernelArrays : public ArrayMap {
 public:
  // `allocations` is the function's argument. Each of `local_buffers` is an
  // alloca. `invariant`: nothing that is read is written later, except by the
  // instruction that SameMemory tells of. `own_arrays_of`: the instruction of a
  // function with KernelSpec::own_arrays, else null. All borrowed.
  KernelArrays(llvm::IRBuilder<>& b, llvm::Value* allocations,
               const BufferAssignment& assignment,
               const AliasedAllocations& aliased,
               const LocalBuffers& local_buffers, bool invariant,
               const HloInstruction* own_arrays_of = nullptr)
      : b_(b),
        allocations_(allocations),
        assignment_(assignment),
        aliased_(aliased),
        local_buffers_(local_buffers),
        invariant_(invariant),
        own_arrays_of_(own_arrays_of) {}

  absl::StatusOr<IrArray> ArrayOf(const HloInstruction* instruction,
                                  int64_t leaf) override;
  bool SameMemory(const HloInstruction* x, int64_t x_leaf,
                  const HloInstruction* y, int64_t y_leaf) override;

  // Copy local buffers that have a value before the function, or need one after
  // it, from and to the allocations.
  void LoadLocals();
  void StoreLocals();

  // From here on, pointers to allocations other than the arena are loaded
  // where an array is asked for. In long straight code each is needed once or
  // twice, and all of them at the entry would be more than there are registers.
  void set_load_late(bool late) { load_late_ = late; }

 private:
  llvm::Value* Local(int64_t buffer, const LocalBuffer& local);
  llvm::Value* Base(int64_t allocation);
  llvm::Value* Address(const BufferSlice& slice);
  llvm::Value* OwnArray(const HloInstruction* instruction, int64_t leaf);
  bool IsConstantMemory(const BufferSlice& slice) const;

  llvm::IRBuilder<>& b_;
  llvm::Value* const allocations_;
  const BufferAssignment& assignment_;
  const AliasedAllocations& aliased_;
  const LocalBuffers& local_buffers_;
  const bool invariant_;
  bool load_late_ = false;
  const HloInstruction* const own_arrays_of_;
  absl::flat_hash_map<int64_t, llvm::Value*> bases_;   // by allocation
  absl::flat_hash_map<int64_t, llvm::Value*> locals_;  // by buffer
};

// The arrays of a function that is given those of its one instruction
// (KernelSpec::overwritten).
class OperandArrays : public ArrayMap {
 public:
  OperandArrays(llvm::IRBuilder<>& b, llvm::Value* operands,
                const HloInstruction& instruction, int64_t overwritten)
      : b_(b),
        operands_(operands),
        instruction_(instruction),
        overwritten_(overwritten) {}

  absl::StatusOr<IrArray> ArrayOf(const HloInstruction* instruction,
                                  int64_t leaf) override;
  bool SameMemory(const HloInstruction* x, int64_t x_leaf,
                  const HloInstruction* y, int64_t y_leaf) override;

 private:
  int64_t NumberOf(const HloInstruction* instruction) const;

  llvm::IRBuilder<>& b_;
  llvm::Value* const operands_;
  const HloInstruction& instruction_;
  const int64_t overwritten_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_
