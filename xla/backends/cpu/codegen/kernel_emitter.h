// KernelEmitter: one native function for a thunk of the program: a single
// instruction split into workgroups, or a run of instructions with their while
// loops and conditionals.
#ifndef XLA_BACKENDS_CPU_CODEGEN_KERNEL_EMITTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_KERNEL_EMITTER_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/codegen/kernel_arrays.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// What kernels of one program share. Thread safe once made.
class KernelEmitter {
 public:
  // Borrowed: both outlive it. `module` has row-major layouts.
  KernelEmitter(const HloModule& module, const BufferAssignment& assignment,
                const TargetInfo& target);

  // Adds the function called `symbol` to `llvm_module`. Errors: Unimplemented
  // for ops without native code.
  absl::Status Emit(const KernelSpec& spec, const std::string& symbol,
                    llvm::Module& llvm_module) const;

  // The map form of a computation of scalars (thunks/kernel_abi.h).
  absl::Status EmitMap(const HloComputation& computation,
                       const std::string& symbol,
                       llvm::Module& llvm_module) const;

 private:
  const BufferAssignment& assignment_;
  const TargetInfo& target_;
  AliasedAllocations aliased_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_EMITTER_H_
