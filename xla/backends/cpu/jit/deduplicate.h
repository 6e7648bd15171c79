// Finds modules that differ in nothing but names, so that each kind of kernel
// is compiled once.
#ifndef XLA_BACKENDS_CPU_JIT_DEDUPLICATE_H_
#define XLA_BACKENDS_CPU_JIT_DEDUPLICATE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/jit/object_compiler.h"
#include "xla/backends/cpu/jit/object_linker.h"

namespace xla::cpu {

struct Duplicates {
  // Indices of the modules to compile, the longest first, and how many
  // instructions each of all modules has.
  std::vector<int64_t> distinct;
  std::vector<int64_t> instructions;
  // The global symbols of the others, as aliases of those of their equal.
  std::vector<SymbolAlias> aliases;
};

// Two modules are equal when level and bitcode are, the names of symbols that
// they define and of themselves aside. Leaves the modules as they are.
Duplicates FindDuplicates(absl::Span<const ModuleInput> modules);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_DEDUPLICATE_H_
