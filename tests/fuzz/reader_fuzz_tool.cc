// Passes mutated programs to the readers of HLO text and protos and checks that
// the readers return, and that accepted programs can be printed and read again:
//
//   reader_fuzz_tool text|proto SECONDS SEED FILE.hlo...
//   reader_fuzz_tool text|proto =ITERATION SEED FILE.hlo...
//
// A crash, a hang or a failed check reports its iteration. The second form
// shows the input of that iteration and runs it alone.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/stubs/logging.h"
#include "tests/fuzz/fuzz_limits.h"
#include "tests/fuzz/mutator.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

// For the address sanitizer, if the program is built with it: limits the size
// of an allocation.
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=1024:detect_leaks=0:handle_abort=1";
}

namespace xla {
namespace {

constexpr int kSecondsPerInput = 20;
constexpr uint64_t kBytes = uint64_t{4} << 30;
constexpr size_t kMaxSeedBytes = 20000;

[[noreturn]] void Broken(absl::string_view promise, absl::string_view detail) {
  std::cerr << "broken promise: " << promise << "\n" << detail << "\n";
  ReportIteration();
  std::exit(5);
}

// Returns the header of a module's text, and its computations in an order that
// does not depend on where they stand.
std::vector<std::string> SortedParts(const std::string& text) {
  std::vector<std::string> parts = absl::StrSplit(text, "\n\n");
  std::sort(parts.begin(), parts.end());
  return parts;
}

// Checks what holds for every module that a reader returns. `strict`: its names
// and strings come from text, so its own text must be readable.
void CheckModule(const HloModule& module, bool strict) {
  const std::string text = module.ToString(HloPrintOptions::Lossless());
  auto again = ParseAndReturnUnverifiedModule(text);
  if (!again.ok()) {
    if (strict) {
      Broken("printed text is readable",
             absl::StrCat(again.status().message(), "\n", text));
    }
  } else if (strict) {
    // Callees are printed in the order in which the list calls them, and the
    // first text sets the order of the list: the second may have the same
    // computations in another order, the third is the second.
    const std::string second = (*again)->ToString(HloPrintOptions::Lossless());
    auto third = ParseAndReturnUnverifiedModule(second);
    if (!third.ok() || SortedParts(second) != SortedParts(text) ||
        (*third)->ToString(HloPrintOptions::Lossless()) != second) {
      Broken("text is stable", absl::StrCat(text, "\n----\n", second));
    }
  }
  HloPrintOptions inline_all = HloPrintOptions::Lossless();
  inline_all.set_inline_computations(true);
  inline_all.set_print_operand_shape(true);
  (void)ParseAndReturnUnverifiedModule(module.ToString(inline_all));
  auto copy = HloModule::CreateFromProto(module.ToProto());
  if (!copy.ok() && strict) {
    Broken("the proto is readable",
           absl::StrCat(copy.status().message(), "\n", text));
  }
  (void)HloVerifier().Verify(module);
}

class Fuzzer {
 public:
  Fuzzer(bool text, uint64_t seed, std::vector<std::string> seeds)
      : text_(text), seed_(seed), seeds_(std::move(seeds)) {
    if (text_) return;
    for (const std::string& s : seeds_) {
      auto module = ParseAndReturnUnverifiedModule(s);
      if (module.ok()) protos_.push_back((*module)->ToProto());
    }
  }

  // Returns false if the reader rejected the input.
  bool RunOne(uint64_t iteration, bool show) {
    SetIteration(iteration);
    Mutator mutator(seed_ * 1000003 + iteration);
    alarm(kSecondsPerInput);
    const bool accepted =
        text_ ? RunText(mutator, show) : RunProto(mutator, show);
    alarm(0);
    return accepted;
  }

 private:
  bool RunText(Mutator& mutator, bool show) {
    const std::string input =
        mutator.Text(seeds_[mutator.Below(seeds_.size())],
                     seeds_[mutator.Below(seeds_.size())]);
    if (show) std::cout << input << std::endl;
    auto module = ParseAndReturnUnverifiedModule(input);
    if (!module.ok()) return false;
    CheckModule(**module, /*strict=*/true);
    return true;
  }

  bool RunProto(Mutator& mutator, bool show) {
    HloModuleProto proto = protos_[mutator.Below(protos_.size())];
    if (mutator.Below(4) == 0) {
      const std::string bytes = mutator.Bytes(proto.SerializeAsString());
      if (!proto.ParseFromString(bytes)) return false;
    } else {
      mutator.Proto(proto);
    }
    if (show) std::cout << proto.DebugString() << std::endl;
    auto module = HloModule::CreateFromProto(proto);
    if (!module.ok()) return false;
    CheckModule(**module, /*strict=*/false);
    return true;
  }

  const bool text_;
  const uint64_t seed_;
  const std::vector<std::string> seeds_;
  std::vector<HloModuleProto> protos_;
};

// The modules of the files, which a line separates in tests/ops.
std::vector<std::string> ReadSeeds(char** begin, char** end) {
  std::vector<std::string> seeds;
  for (char** path = begin; path != end; ++path) {
    std::ifstream file(*path);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    for (absl::string_view part : absl::StrSplit(all, "// -----")) {
      if (part.size() <= kMaxSeedBytes) seeds.emplace_back(part);
    }
  }
  return seeds;
}

int Main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: reader_fuzz_tool text|proto SECONDS SEED FILE...\n";
    return 2;
  }
  Fuzzer fuzzer(absl::string_view(argv[1]) == "text",
                std::strtoull(argv[3], nullptr, 10),
                ReadSeeds(argv + 4, argv + argc));
  google::protobuf::SetLogHandler(nullptr);  // it warns of bad UTF-8
  LimitMemoryAndReport(kBytes, SIGALRM);
  if (argv[2][0] == '=') {
    const bool accepted =
        fuzzer.RunOne(std::strtoull(argv[2] + 1, nullptr, 10), true);
    std::cout << (accepted ? "accepted" : "refused") << "\n";
    return 0;
  }
  const std::time_t stop = std::time(nullptr) + std::atoi(argv[2]);
  uint64_t count = 0, accepted = 0;
  for (; std::time(nullptr) < stop; ++count) {
    accepted += fuzzer.RunOne(count, false);
  }
  std::cout << count << " inputs, " << accepted << " accepted\n";
  return accepted > 0 ? 0 : 1;
}

}  // namespace
}  // namespace xla

int main(int argc, char** argv) { return xla::Main(argc, argv); }
