// Reads HLO modules as text or protos and writes them as text or protos, for
// round_trip_test.py:
//
//   round_trip_tool < requests
//
// A request is a line "FROM TO SIZE" and SIZE bytes; FROM is text or proto, TO
// is text, inline, shapes or proto, or one of XLA's forms: long, short,
// canonical, fingerprint. The answer is "ok SIZE" or "error SIZE", and the
// bytes.
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

absl::StatusOr<std::unique_ptr<HloModule>> Read(const std::string& from,
                                                const std::string& bytes) {
  if (from == "text") return ParseAndReturnUnverifiedModule(bytes);
  HloModuleProto proto;
  if (!proto.ParseFromString(bytes)) {
    return absl::InvalidArgumentError("not an HloModuleProto");
  }
  return HloModule::CreateFromProto(proto);
}

HloPrintOptions OptionsOf(const std::string& form) {
  if (form == "long") return HloPrintOptions::Default();
  if (form == "short") return HloPrintOptions::ShortParsable();
  if (form == "canonical") return HloPrintOptions::Canonical();
  if (form == "fingerprint") return HloPrintOptions::Fingerprint();
  HloPrintOptions options = HloPrintOptions::Lossless();
  options.set_inline_computations(form == "inline");
  options.set_print_operand_shape(form == "shapes");
  return options;
}

absl::StatusOr<std::string> Convert(const std::string& from,
                                    const std::string& to,
                                    const std::string& bytes) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, Read(from, bytes));
  if (to == "proto") return module->ToProto().SerializeAsString();
  return module->ToString(OptionsOf(to));
}

int Main() {
  std::string from, to;
  size_t size = 0;
  while (std::cin >> from >> to >> size) {
    std::cin.get();
    std::string bytes(size, '\0');
    std::cin.read(bytes.data(), size);
    auto result = Convert(from, to, bytes);
    const std::string answer =
        result.ok() ? *result : std::string(result.status().message());
    std::cout << (result.ok() ? "ok " : "error ") << answer.size() << "\n"
              << answer << std::flush;
  }
  return 0;
}

}  // namespace
}  // namespace xla

int main() { return xla::Main(); }
