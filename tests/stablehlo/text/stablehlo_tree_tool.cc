// Prints the trees of StableHLO texts and artifacts, for inspection:
//
//   stablehlo_tree_tool [--quiet] FILE...
//
// A text may hold several programs separated by lines of "// -----". Exits with
// 1 if one is refused.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/tree_text.h"

int main(int argc, char** argv) {
  bool quiet = false;
  int failures = 0;
  for (int i = 1; i < argc; ++i) {
    const absl::string_view path = argv[i];
    if (path == "--quiet") {
      quiet = true;
      continue;
    }
    std::ifstream file{std::string(path), std::ios::binary};
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const bool artifact = xla::stablehlo::IsBytecode(all);
    const std::vector<absl::string_view> programs =
        artifact ? std::vector<absl::string_view>{all}
                 : absl::StrSplit(all, "// -----\n");
    for (absl::string_view program : programs) {
      const auto module = artifact ? xla::stablehlo::ReadBytecode(program)
                                   : xla::stablehlo::ReadText(program);
      if (!module.ok()) {
        std::cerr << path << ": " << module.status().message() << "\n";
        ++failures;
      } else if (!quiet) {
        std::cout << xla::stablehlo::TreeToString(**module,
                                                  {.defaults = false});
      }
    }
  }
  return failures == 0 ? 0 : 1;
}
