// Finds modules that differ only in names, so that each kind of kernel is
// compiled once.
#ifndef XLA_BACKENDS_CPU_JIT_DEDUPLICATE_H_
#define XLA_BACKENDS_CPU_JIT_DEDUPLICATE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/jit/object_compiler.h"
#include "xla/backends/cpu/jit/object_linker.h"

namespace xla::cpu {

struct Duplicates {
  // The indices of the modules to compile, the longest first, and the number of
  // instructions of each of all modules.
  std::vector<int64_t> distinct;
  std::vector<int64_t> instructions;
  // The global symbols of the other modules, as aliases of the symbols of the
  // equal module that is compiled.
  std::vector<SymbolAlias> aliases;
};

// Two modules are equal if their levels and their bitcode are, disregarding the
// names of the modules and of symbols that they define. Leaves the modules
// unchanged.
Duplicates FindDuplicates(absl::Span<const ModuleInput> modules);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_DEDUPLICATE_H_
