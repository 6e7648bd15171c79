// Passes for scalar loops, whose time is the latency of the values carried from
// one iteration to the next, and the number of instructions around these.
#ifndef XLA_BACKENDS_CPU_JIT_PASSES_SCALAR_LOOPS_H_
#define XLA_BACKENDS_CPU_JIT_PASSES_SCALAR_LOOPS_H_

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace xla::cpu {

// Removes clamps of indices, smax(i, 0) and the like, that never take effect in
// the loop around them.
class KeptBoundsPass : public llvm::PassInfoMixin<KeptBoundsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function,
                              llvm::FunctionAnalysisManager& analyses);
};

// Moves 32-bit integers that a loop carries through minima or maxima into
// vector registers, where these take one cycle instead of the two of a compare
// and a move.
class VectorChainsPass : public llvm::PassInfoMixin<VectorChainsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function,
                              llvm::FunctionAnalysisManager& analyses);
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_PASSES_SCALAR_LOOPS_H_
