// Feeds changed artifacts to the bytecode reader and everything behind it:
//
//   artifact_fuzz_tool COUNT|SECONDSs SEED FILE.mlirbc...
//   artifact_fuzz_tool =ITERATION SEED FILE.mlirbc...  (that one alone)
//   artifact_fuzz_tool show FILE.mlirbc...             (the trees of files)
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/stablehlo/fuzz_path.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"
#include "xla/stablehlo/tree_text.h"

namespace xla::stablehlo {
namespace {

// Sets random bytes to meaningful values: small numbers, flags, section marks,
// long numbers. Keeps the header and most of the structure.
std::string Sprinkled(std::string bytes, Mutator& mutator) {
  static constexpr unsigned char kBytes[] = {0,    1,    2,    3,    4,    5,
                                             7,    8,    9,    0x10, 0x20, 0x40,
                                             0x7f, 0x80, 0xcb, 0xfe, 0xff};
  if (bytes.size() < 32) return bytes;
  for (uint64_t count = 1 + mutator.Below(4); count > 0; --count) {
    const size_t place = 20 + mutator.Below(bytes.size() - 20);
    bytes[place] = mutator.Below(2) == 0
                       ? kBytes[mutator.Below(std::size(kBytes))]
                       : bytes[place] + static_cast<char>(mutator.Below(9)) - 4;
  }
  return bytes;
}

std::string ChangedArtifact(Mutator& mutator,
                            const std::vector<std::string>& seeds) {
  const std::string& original = seeds[mutator.Below(seeds.size())];
  return mutator.Below(4) == 0 ? mutator.Bytes(original)
                               : Sprinkled(original, mutator);
}

int Show(char** begin, char** end) {
  for (char** path = begin; path != end; ++path) {
    std::ifstream file(*path, std::ios::binary);
    auto module =
        ReadBytecode(std::string(std::istreambuf_iterator<char>(file), {}));
    if (!module.ok()) {
      std::cerr << *path << ": " << module.status() << "\n";
      return 1;
    }
    std::cout << TreeToString(**module);
  }
  return 0;
}

}  // namespace
}  // namespace xla::stablehlo

int main(int argc, char** argv) {
  if (argc > 2 && absl::string_view(argv[1]) == "show") {
    return xla::stablehlo::Show(argv + 2, argv + argc);
  }
  return xla::stablehlo::FuzzMain(argc, argv, xla::stablehlo::ChangedArtifact);
}
