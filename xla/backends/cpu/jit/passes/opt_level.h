// OptLevel: how well a module is compiled.
#ifndef XLA_BACKENDS_CPU_JIT_PASSES_OPT_LEVEL_H_
#define XLA_BACKENDS_CPU_JIT_PASSES_OPT_LEVEL_H_

namespace xla::cpu {

// How much compile time a function is worth.
enum class OptLevel {
  // Runs rarely: LLVM's quick way, with variables in memory.
  kCold,
  kHot,
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_PASSES_OPT_LEVEL_H_
