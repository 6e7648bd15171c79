// Emitter of scatters.
#ifndef XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_SCATTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_SCATTER_H_

#include "absl/status/status.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"

namespace xla::cpu {

// Emits workgroups [begin, end) of the ScatterPlan of `bound`, a scatter or a
// fusion whose root is one.
absl::Status EmitScatter(BoundInstruction& bound, llvm::Value* begin,
                         llvm::Value* end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_SCATTER_H_
