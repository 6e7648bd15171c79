// KernelArrays: where arrays lie in one native function: in the allocations
// that it is given, or on its stack.
#ifndef XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_
#define XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_

#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/instruction_emitter.h"
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
  // instruction that SameMemory tells of. All borrowed.
  KernelArrays(llvm::IRBuilder<>& b, llvm::Value* allocations,
               const BufferAssignment& assignment,
               const AliasedAllocations& aliased,
               const LocalBuffers& local_buffers, bool invariant)
      : b_(b),
        allocations_(allocations),
        assignment_(assignment),
        aliased_(aliased),
        local_buffers_(local_buffers),
        invariant_(invariant) {}

  absl::StatusOr<IrArray> ArrayOf(const HloInstruction* instruction,
                                  int64_t leaf) override;
  bool SameMemory(const HloInstruction* x, int64_t x_leaf,
                  const HloInstruction* y, int64_t y_leaf) override;

  // Copy local buffers that have a value before the function, or need one after
  // it, from and to the allocations.
  void LoadLocals();
  void StoreLocals();

 private:
  llvm::Value* Local(int64_t buffer, const LocalBuffer& local);
  llvm::Value* Base(int64_t allocation);
  llvm::Value* Address(const BufferSlice& slice);
  bool IsConstantMemory(const BufferSlice& slice) const;

  llvm::IRBuilder<>& b_;
  llvm::Value* const allocations_;
  const BufferAssignment& assignment_;
  const AliasedAllocations& aliased_;
  const LocalBuffers& local_buffers_;
  const bool invariant_;
  absl::flat_hash_map<int64_t, llvm::Value*> bases_;   // by allocation
  absl::flat_hash_map<int64_t, llvm::Value*> locals_;  // by buffer
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_
