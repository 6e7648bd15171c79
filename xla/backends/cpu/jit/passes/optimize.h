// Runs passes over IR that is vectorized and mostly optimized as it is emitted.
#ifndef XLA_BACKENDS_CPU_JIT_PASSES_OPTIMIZE_H_
#define XLA_BACKENDS_CPU_JIT_PASSES_OPTIMIZE_H_

#include "absl/status/status.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "xla/backends/cpu/jit/passes/opt_level.h"

namespace xla::cpu {

// Inlines functions marked alwaysinline. Then, for each function: promotes
// stack slots to registers, removes common and dead code, simplifies
// instructions and branches; at kHot it also hoists loop invariants, unrolls
// the loops marked for it (llvm.loop.unroll.full or .count), and runs the
// passes of scalar_loops.h. It never vectorizes over iterations of a loop,
// contracts or reassociates, and recognizes no C library function, so calls
// remain as they are.
void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    OptLevel level);

// Errors: Internal with the verifier's text if `module` is malformed.
absl::Status VerifyModule(const llvm::Module& module);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_PASSES_OPTIMIZE_H_
