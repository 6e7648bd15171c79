// PublishSymbols: tells perf and gdb the names of functions that were compiled
// at run time.
#ifndef XLA_BACKENDS_CPU_JIT_SYMBOLS_CODE_SYMBOLS_H_
#define XLA_BACKENDS_CPU_JIT_SYMBOLS_CODE_SYMBOLS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla::cpu {

// A function in executable memory.
struct CodeSymbol {
  std::string name;
  const void* address = nullptr;
  int64_t size_bytes = 0;
};

// Who is told.
struct SymbolForms {
  bool perf_map = false;  // /tmp/perf-PID.map
  bool jitdump = false;   // /tmp/jit-PID.dump, for `perf inject --jit`
  bool gdb = false;       // GDB's JIT interface

  bool any() const { return perf_map || jitdump || gdb; }
};

// Parses "perfmap,gdb"; an empty text is none. Errors: InvalidArgument for a
// word other than perfmap, jitdump and gdb.
absl::StatusOr<SymbolForms> ParseSymbolForms(absl::string_view text);

// The forms of TESSERA_JIT_SYMBOLS in the environment, read once. Errors: those
// of ParseSymbolForms.
absl::StatusOr<SymbolForms> RequestedSymbolForms();

// Symbols that gdb knows as long as this lives.
class PublishedSymbols {
 public:
  virtual ~PublishedSymbols() = default;
};

// Publishes `symbols` in each of `forms`. Returns what must live as long as the
// code; null if there is nothing to withdraw. Thread safe. Errors: Internal if
// a file cannot be written.
absl::StatusOr<std::unique_ptr<PublishedSymbols>> PublishSymbols(
    absl::Span<const CodeSymbol> symbols, const SymbolForms& forms);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_SYMBOLS_CODE_SYMBOLS_H_
