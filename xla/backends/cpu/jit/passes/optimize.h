// The passes over IR that is vectorised and mostly optimised as it is emitted.
#ifndef XLA_BACKENDS_CPU_JIT_PASSES_OPTIMIZE_H_
#define XLA_BACKENDS_CPU_JIT_PASSES_OPTIMIZE_H_

#include "absl/status/status.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "xla/backends/cpu/jit/passes/opt_level.h"

namespace xla::cpu {

// Inlines what is marked alwaysinline, then for each function: promotes stack
// slots to registers, removes common and dead code, simplifies instructions and
// branches; at kHot also moves invariants out of loops, unrolls those marked so
// (llvm.loop.unroll.full or .count), and does what scalar_loops.h says. Never
// vectorises over iterations of a loop, contracts or reassociates; knows no C
// library function, so that calls stay what they are.
void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    OptLevel level);

// Errors: Internal with the verifier's text when `module` is malformed.
absl::Status VerifyModule(const llvm::Module& module);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_PASSES_OPTIMIZE_H_
