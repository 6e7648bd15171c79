// OptLevel: how well a module is compiled.
#ifndef XLA_BACKENDS_CPU_JIT_PASSES_OPT_LEVEL_H_
#define XLA_BACKENDS_CPU_JIT_PASSES_OPT_LEVEL_H_

namespace xla::cpu {

// How much compile time a function is worth.
enum class OptLevel {
  // For code that runs rarely: LLVM's unoptimized path, with variables in
  // memory.
  kCold,
  kHot,
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_PASSES_OPT_LEVEL_H_
