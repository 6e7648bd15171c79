// Chooses the reader by content, and converts the tree.
#include "xla/stablehlo/stablehlo.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/to_hlo/convert_module.h"

namespace xla::stablehlo {

bool IsArtifact(absl::string_view bytes) { return IsBytecode(bytes); }

bool IsStablehloText(absl::string_view bytes) {
  for (;;) {
    bytes = absl::StripLeadingAsciiWhitespace(bytes);
    if (!absl::StartsWith(bytes, "//")) break;
    const size_t end = bytes.find('\n');
    if (end == absl::string_view::npos) return false;
    bytes.remove_prefix(end);
  }
  for (absl::string_view start : {"#", "!", "\"builtin.module\"",
                                  "builtin.module", "func.func", "sdy."}) {
    if (absl::StartsWith(bytes, start)) return true;
  }
  return absl::ConsumePrefix(&bytes, "module") &&
         (bytes.empty() || absl::ascii_isspace(bytes[0]) || bytes[0] == '{' ||
          bytes[0] == '@');
}

absl::StatusOr<std::unique_ptr<HloModule>> ReadModule(
    absl::string_view source) {
  TF_ASSIGN_OR_RETURN(
      const std::unique_ptr<Module> module,
      IsBytecode(source) ? ReadBytecode(source) : ReadText(source));
  return ConvertToHlo(*module);
}

absl::StatusOr<std::string> PrintModule(const HloModule& module,
                                        const PrintOptions& options) {
  return PrintStablehlo(module, options);
}

}  // namespace xla::stablehlo
