// Feeds changed programs to the reader of StableHLO text and everything behind
// it:
//
//   text_fuzz_tool COUNT|SECONDSs SEED FILE.mlir...
//   text_fuzz_tool =ITERATION SEED FILE.mlir...  (that one alone, shown)
#include <string>
#include <vector>

#include "tests/stablehlo/fuzz_path.h"

namespace {

std::string ChangedText(xla::Mutator& mutator,
                        const std::vector<std::string>& seeds) {
  const std::string& text = seeds[mutator.Below(seeds.size())];
  return mutator.Text(text, seeds[mutator.Below(seeds.size())]);
}

}  // namespace

int main(int argc, char** argv) {
  return xla::stablehlo::FuzzMain(argc, argv, ChangedText);
}
