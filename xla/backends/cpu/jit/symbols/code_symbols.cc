// Reads the option and calls the writers of each form.
#include "xla/backends/cpu/jit/symbols/code_symbols.h"

#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "xla/backends/cpu/jit/symbols/gdb_interface.h"
#include "xla/backends/cpu/jit/symbols/perf_map.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {

absl::StatusOr<SymbolForms> ParseSymbolForms(absl::string_view text) {
  SymbolForms forms;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    word = absl::StripAsciiWhitespace(word);
    if (word == "perfmap") {
      forms.perf_map = true;
    } else if (word == "jitdump") {
      forms.jitdump = true;
    } else if (word == "gdb") {
      forms.gdb = true;
    } else if (!word.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("TESSERA_JIT_SYMBOLS: there is no form ", word,
                       ", but perfmap, jitdump and gdb"));
    }
  }
  return forms;
}

absl::StatusOr<SymbolForms> RequestedSymbolForms() {
  static const auto* const forms = [] {
    const char* text = std::getenv("TESSERA_JIT_SYMBOLS");
    return new absl::StatusOr<SymbolForms>(
        ParseSymbolForms(text == nullptr ? "" : text));
  }();
  return *forms;
}

absl::StatusOr<std::unique_ptr<PublishedSymbols>> PublishSymbols(
    absl::Span<const CodeSymbol> symbols, const SymbolForms& forms) {
  if (symbols.empty()) return nullptr;
  if (forms.perf_map) TF_RETURN_IF_ERROR(AppendToPerfMap(symbols));
  if (forms.jitdump) TF_RETURN_IF_ERROR(AppendToJitdump(symbols));
  if (!forms.gdb) return nullptr;
  return std::make_unique<GdbSymbols>(symbols);
}

}  // namespace xla::cpu
