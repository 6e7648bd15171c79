// SymbolFile: an ELF file that has nothing but the names and addresses of
// functions which are in memory already.
#ifndef XLA_BACKENDS_CPU_JIT_SYMBOLS_SYMBOL_FILE_H_
#define XLA_BACKENDS_CPU_JIT_SYMBOLS_SYMBOL_FILE_H_

#include <string>

#include "absl/types/span.h"
#include "xla/backends/cpu/jit/symbols/code_symbols.h"

namespace xla::cpu {

// Returns an executable ELF file of this machine: a .text section without
// contents that covers all of `symbols`, at least one, and a table of them.
std::string SymbolFile(absl::Span<const CodeSymbol> symbols);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_SYMBOLS_SYMBOL_FILE_H_
