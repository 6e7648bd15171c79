// Prints a line for each level that --xla_cpu_max_isa can name here, lowest
// first: "AVX2 runs"; "AVX512 same" if the level removes nothing from this
// processor that changes code; "AMX lacks amx-tile".
#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/base/cpu_isa.h"

namespace xla::cpu {
namespace {

// True if LLVM uses the extension in instruction selection for values.
bool ChangesCode(absl::string_view name) {
  for (absl::string_view prefix :
       {"sse", "ssse", "avx", "fma", "f16c", "bmi", "popcnt", "lzcnt", "gfni",
        "xop", "tbm", "amx", "sve"}) {
    if (absl::StartsWith(name, prefix)) return true;
  }
  return false;
}

int PrintLevels() {
  const TargetInfo& processor = ProcessorTarget();
  for (const CpuIsa isa : CpuIsasOfHost()) {
    std::cout << CpuIsaName(isa) << " ";
    const std::string missing = MissingForIsa(processor, isa);
    if (!missing.empty()) {
      std::cout << "lacks " << missing << "\n";
      continue;
    }
    const auto limited = LimitIsa(processor, isa);
    if (!limited.ok()) {
      std::cerr << limited.status() << "\n";
      return 1;
    }
    bool same = true;
    for (absl::string_view feature : processor.features) {
      const absl::string_view name = feature.substr(1);
      same &= feature[0] == '-' || limited->Has(name) || !ChangesCode(name);
    }
    std::cout << (same ? "same" : "runs") << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace xla::cpu

int main() { return xla::cpu::PrintLevels(); }
