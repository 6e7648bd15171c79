// Links object files into executable memory: the last step from LLVM IR to
// function pointers. Does not depend on LLVM.
#ifndef XLA_BACKENDS_CPU_JIT_OBJECT_LINKER_H_
#define XLA_BACKENDS_CPU_JIT_OBJECT_LINKER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/jit/code_memory.h"
#include "xla/backends/cpu/jit/runtime_symbols.h"

namespace xla::cpu {

// Another name of a symbol.
struct SymbolAlias {
  std::string name;
  std::string target;
};

struct LinkedSymbol {
  void* address = nullptr;
  int64_t size = 0;
  bool is_function = false;
};

struct LinkedImage {
  CodeMemory memory;
  // The global symbols that the objects define, and their aliases.
  absl::flat_hash_map<std::string, LinkedSymbol> symbols;
  // Functions that only their own object calls; their names may repeat.
  std::vector<std::pair<std::string, LinkedSymbol>> local_functions;
  // Bytes of code (including stubs), and of constants and data.
  int64_t code_bytes = 0;
  int64_t data_bytes = 0;
};

// Links `objects`, ELF files for this machine. They may refer to each other's
// global symbols, to `aliases` of these, to `outside` and to RuntimeSymbols(),
// but to nothing else in the process. Unwind tables are dropped. Errors:
// Internal naming a symbol that is undefined or that two objects define;
// InvalidArgument for malformed objects or those of another machine;
// Unimplemented for thread-local data and initializers; ResourceExhausted.
absl::StatusOr<LinkedImage> LinkObjects(absl::Span<const std::string> objects,
                                        absl::Span<const SymbolAlias> aliases,
                                        const SymbolTable& outside);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_OBJECT_LINKER_H_
