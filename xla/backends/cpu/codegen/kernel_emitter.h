// EmitKernel emits one native function: a single instruction split into
// workgroups, a sequence of instructions with their while loops and
// conditionals, or a scalar computation applied to each element of arrays.
#ifndef XLA_BACKENDS_CPU_CODEGEN_KERNEL_EMITTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_KERNEL_EMITTER_H_

#include <string>

#include "absl/status/status.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

// Adds the function called `symbol` to `llvm_module`. Instructions have
// row-major layouts. Errors: Unimplemented for ops without native code.
absl::Status EmitKernel(const KernelSpec& spec, const TargetInfo& target,
                        const std::string& symbol, llvm::Module& llvm_module);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_EMITTER_H_
