// Converts many StableHLO texts and artifacts to HLO in one process:
//
//   convert_programs_tool FILE...
//
// For each, prints a line `== FILE`, then the verified module as HLO text, or a
// line `error: ...`.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/stablehlo/stablehlo.h"

namespace {

absl::StatusOr<std::string> Convert(const std::string& source) {
  TF_ASSIGN_OR_RETURN(auto module, xla::stablehlo::ReadModule(source));
  TF_RETURN_IF_ERROR(xla::HloVerifier().Verify(*module));
  return module->ToString(xla::HloPrintOptions::Lossless());
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    const absl::StatusOr<std::string> text = Convert(source);
    std::cout << "== " << argv[i] << "\n"
              << (text.ok() ? *text
                            : absl::StrCat("error: ", text.status().message()))
              << "\n";
  }
  return 0;
}
