// GdbSymbols: functions that GDB knows by its interface for code that is made
// at run time.
#ifndef XLA_BACKENDS_CPU_JIT_SYMBOLS_GDB_INTERFACE_H_
#define XLA_BACKENDS_CPU_JIT_SYMBOLS_GDB_INTERFACE_H_

#include <memory>
#include <string>

#include "absl/types/span.h"
#include "xla/backends/cpu/jit/symbols/code_symbols.h"

// The layout of GDB's manual, "JIT Compilation Interface".
extern "C" {
struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};
}

namespace xla::cpu {

// Lists the functions, also for a GDB that attaches later, until it is
// destroyed. Thread safe.
class GdbSymbols : public PublishedSymbols {
 public:
  // There is at least one symbol.
  explicit GdbSymbols(absl::Span<const CodeSymbol> symbols);
  ~GdbSymbols() override;
  GdbSymbols(const GdbSymbols&) = delete;
  GdbSymbols& operator=(const GdbSymbols&) = delete;

 private:
  const std::string file_;
  jit_code_entry entry_{};
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_SYMBOLS_GDB_INTERFACE_H_
