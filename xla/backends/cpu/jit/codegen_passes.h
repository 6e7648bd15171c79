// The code generator's passes without those that our code has no use for.
#ifndef XLA_BACKENDS_CPU_JIT_CODEGEN_PASSES_H_
#define XLA_BACKENDS_CPU_JIT_CODEGEN_PASSES_H_

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/jit/target_machine.h"

namespace xla::cpu {

// What TargetMachine::addPassesToEmitFile adds its passes to. LLVM's list has
// some two hundred for every function, most of them for exceptions, garbage
// collection, debuggers, tracing, hardening and operating systems that
// generated code has nothing to do with; each costs microseconds. At kCold
// those that only make code faster are left out too.
class CodegenPasses : public llvm::legacy::PassManagerBase {
 public:
  explicit CodegenPasses(OptLevel level) : level_(level) {}

  void add(llvm::Pass* pass) override;
  void Run(llvm::Module& module) { passes_.run(module); }

 private:
  OptLevel level_;
  llvm::legacy::PassManager passes_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_CODEGEN_PASSES_H_
