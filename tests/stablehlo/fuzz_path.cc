// Counts how far inputs get, and stops those that use too many resources.
#include "tests/stablehlo/fuzz_path.h"

#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "tests/fuzz/fuzz_limits.h"
#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"
#include "xla/stablehlo/ir/ir.h"
#include "xla/stablehlo/stablehlo.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/to_hlo/convert_module.h"
#include "xla/stablehlo/tree_text.h"

// With AddressSanitizer these limits replace setrlimit().
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=256:hard_rss_limit_mb=1500:detect_leaks=0:"
         "handle_abort=1:quarantine_size_mb=64";
}

namespace xla::stablehlo {
namespace {

constexpr int kSecondsPerInput = 2;
constexpr uint64_t kBytes = uint64_t{1} << 30;
constexpr size_t kMaxSeedBytes = 100000;

// Limits processor time, which other programs of the machine do not use up.
void SetTimer(int seconds) {
  const itimerval timer = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

// How many inputs got how far.
struct Counts {
  uint64_t inputs = 0, read = 0, converted = 0, verified = 0, printed = 0,
           compiled = 0;
  double slowest_s = 0;
  uint64_t slowest = 0;
};

// Returns the Status of the first step that failed.
absl::Status Run(const std::string& input, Counts& counts) {
  absl::StatusOr<std::unique_ptr<Module>> tree =
      IsArtifact(input) ? ReadBytecode(input) : ReadText(input);
  if (!tree.ok()) return tree.status();
  ++counts.read;
  (void)TreeToString(**tree);
  absl::StatusOr<std::unique_ptr<HloModule>> module = ConvertToHlo(**tree);
  if (!module.ok()) return module.status();
  ++counts.converted;
  tree->reset();
  if (absl::Status status = HloVerifier().Verify(**module); !status.ok()) {
    return status;
  }
  ++counts.verified;
  (void)(*module)->ToString();
  if (PrintModule(**module).ok()) ++counts.printed;
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      EvaluatorCompiler().Compile(*std::move(module));
  if (executable.ok()) ++counts.compiled;
  return executable.status();
}

class Fuzzer {
 public:
  Fuzzer(uint64_t seed, std::vector<std::string> seeds,
         const MakeInput& make_input)
      : seed_(seed), seeds_(std::move(seeds)), make_input_(make_input) {}

  void RunOne(uint64_t iteration, bool show) {
    SetIteration(iteration);
    Mutator mutator(seed_ * 1000003 + iteration);
    const std::string input = make_input_(mutator, seeds_);
    if (show) std::cout << input << std::endl;
    SetTimer(kSecondsPerInput);
    const std::clock_t start = std::clock();
    const absl::Status status = Run(input, counts_);
    const double seconds =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    SetTimer(0);
    ++counts_.inputs;
    if (seconds > counts_.slowest_s) {
      counts_.slowest_s = seconds;
      counts_.slowest = iteration;
    }
    if (show) std::cout << status << std::endl;
  }

  const Counts& counts() const { return counts_; }

 private:
  const uint64_t seed_;
  const std::vector<std::string> seeds_;
  const MakeInput& make_input_;
  Counts counts_;
};

// For a text of functions none of which is the entry, returns one text for each
// as the entry, since otherwise none would be converted.
std::vector<std::string> WithEntries(absl::string_view text) {
  constexpr absl::string_view kFunction = "func.func @";
  std::vector<std::string> texts;
  if (!absl::StrContains(text, kFunction) || absl::StrContains(text, "@main")) {
    return {std::string(text)};
  }
  for (size_t at = text.find(kFunction); at != absl::string_view::npos;
       at = text.find(kFunction, at + 1)) {
    const size_t name = at + kFunction.size();
    const size_t end = std::min(text.find('(', name), text.size());
    texts.push_back(
        absl::StrCat(text.substr(0, name), "main", text.substr(end)));
  }
  return texts;
}

// Reads each program of the files; texts may hold several.
std::vector<std::string> ReadSeeds(char** begin, char** end) {
  std::vector<std::string> seeds;
  for (char** path = begin; path != end; ++path) {
    std::ifstream file(*path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    if (all.size() > kMaxSeedBytes) continue;
    if (IsArtifact(all)) {
      seeds.push_back(all);
      continue;
    }
    for (absl::string_view part : absl::StrSplit(all, "// -----")) {
      for (std::string& text : WithEntries(part)) {
        seeds.push_back(std::move(text));
      }
    }
  }
  return seeds;
}

}  // namespace

int FuzzMain(int argc, char** argv, const MakeInput& make_input) {
  if (argc < 4) {
    std::cerr << "usage: " << argv[0]
              << " COUNT|SECONDSs|=ITERATION SEED FILE...\n";
    return 2;
  }
  std::vector<std::string> seeds = ReadSeeds(argv + 3, argv + argc);
  if (seeds.empty()) return 2;
  Fuzzer fuzzer(std::strtoull(argv[2], nullptr, 10), std::move(seeds),
                make_input);
  LimitMemoryAndReport(kBytes, SIGPROF);
  absl::string_view length = argv[1];
  if (absl::ConsumePrefix(&length, "=")) {
    fuzzer.RunOne(std::strtoull(length.data(), nullptr, 10), true);
    return 0;
  }
  const bool timed = absl::ConsumeSuffix(&length, "s");
  const uint64_t number = std::strtoull(argv[1], nullptr, 10);
  const std::time_t stop = std::time(nullptr) + static_cast<int64_t>(number);
  for (uint64_t i = 0; timed ? std::time(nullptr) < stop : i < number; ++i) {
    fuzzer.RunOne(i, false);
  }
  const Counts& counts = fuzzer.counts();
  std::cout << counts.inputs << " inputs: " << counts.read << " read, "
            << counts.converted << " converted, " << counts.verified
            << " verified, " << counts.printed << " printed, "
            << counts.compiled << " compiled; the slowest, =" << counts.slowest
            << ", took " << counts.slowest_s << " s\n";
  return counts.compiled > 0 ? 0 : 1;
}

}  // namespace xla::stablehlo

// UndefinedBehaviorSanitizer calls this before it ends the program.
extern "C" void __ubsan_on_report() { xla::ReportIteration(); }
