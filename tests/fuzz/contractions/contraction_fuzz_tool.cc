// Compares random dots and convolutions with the evaluator:
//
//   contraction_fuzz_tool --count N --seed S [--out DIR] [--verbose 1]
//   contraction_fuzz_tool --show SEED
//
// Programs have the seeds S to S + N - 1. Integers must be equal, floats within
// the error of their sums, and all the same for each number of threads. A
// failure is printed with its seed, and the program written to DIR/SEED.hlo,
// its arguments to DIR/SEED.npz. At the end it prints how many programs took
// each of the compiler's ways; the exit status is 1 if there were failures, if
// no program took one of them, or if too many could overflow and so were hardly
// compared. The second form prints a program.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tests/fuzz/contractions/contraction_aims.h"
#include "tests/fuzz/contractions/contraction_check.h"
#include "tests/fuzz/seed_runs.h"

namespace xla::fuzz {
namespace {

// The ways that some program must take.
constexpr absl::string_view kWays[] = {
    "native dot",
    "attention",
    "dot (tiny)",
    "dot (split-depth)",
    "dot (skinny)",
    "dot (skinny, epilogue)",
    "dot (packed)",
    "dot (packed, constant)",
    "dot (packed, epilogue)",
    "dot (packed, constant, epilogue)",
    "convolution (depthwise)",
    "convolution (col2im)",
    "convolution (split-depth)",
    "convolution (in place)",
    "convolution (rows)",
    "convolution (rows, constant)",
    "convolution (in place, epilogue)",
    "convolution (rows, epilogue)",
    "convolution (rows, constant, epilogue)",
};

struct Flags {
  uint64_t count = 100;
  uint64_t seed = 1;
  std::string out;
  bool show = false;
  uint64_t verbose = 0;
};

// Shared by the process that runs programs and the one that waits for it.
struct Coverage {
  volatile uint64_t vague;
  volatile uint64_t ways[std::size(kWays)];
};

void Report(const Flags& flags, uint64_t seed, const std::string& failure) {
  std::cout << "seed " << seed << " " << failure << std::endl;
  if (flags.out.empty()) return;
  const auto program = MakeContraction(seed);
  if (!program.ok()) return;
  const absl::Status saved = SaveProgram(*program->module, program->arguments,
                                         absl::StrCat(flags.out, "/", seed));
  if (!saved.ok()) std::cout << "  " << saved.ToString() << std::endl;
}

std::string RunSeed(const Flags& flags, uint64_t seed, Coverage* coverage) {
  const auto program = MakeContraction(seed);
  if (!program.ok()) {
    return absl::StrCat("generator: ", program.status().ToString());
  }
  constexpr int kThreads[] = {2, 3, 5, 16, 4, 7};
  const ContractionOutcome outcome =
      CheckContraction(*program, kThreads[seed % std::size(kThreads)]);
  if (outcome.is_vague) coverage->vague = coverage->vague + 1;
  for (const std::string& way : outcome.ways) {
    const auto* const found =
        std::find(std::begin(kWays), std::end(kWays), way);
    if (found == std::end(kWays)) continue;
    const auto number = found - std::begin(kWays);
    coverage->ways[number] = coverage->ways[number] + 1;
  }
  if (flags.verbose != 0) {
    std::cout << seed << ": " << program->aim << ":";
    for (const std::string& way : outcome.ways) std::cout << " " << way;
    std::cout << absl::StreamFormat(", %.3f of the bound\n", outcome.worst);
  }
  return outcome.failure.empty()
             ? ""
             : absl::StrCat("(", program->aim, ") ", outcome.failure);
}

int Show(const Flags& flags) {
  const auto program = MakeContraction(flags.seed);
  if (!program.ok()) {
    std::cerr << program.status().ToString() << "\n";
    return 2;
  }
  std::cout << program->module->ToString(HloPrintOptions::Lossless());
  return 0;
}

int Run(const Flags& flags) {
  auto* const coverage = static_cast<Coverage*>(SharedZeros(sizeof(Coverage)));
  const uint64_t failures = RunSeeds(
      flags.seed, flags.count,
      [&](uint64_t seed) { return RunSeed(flags, seed, coverage); },
      [&](uint64_t seed, const std::string& failure) {
        Report(flags, seed, failure);
      });
  bool all = true;
  for (size_t i = 0; i < std::size(kWays); ++i) {
    std::cout << absl::StreamFormat("%6d %s\n", coverage->ways[i], kWays[i]);
    if (coverage->ways[i] == 0) all = false;
  }
  std::cout << flags.count << " programs, " << failures << " failures"
            << ", " << coverage->vague << " hardly compared"
            << (all ? "" : ", and no program for some of the ways")
            << std::endl;
  const bool is_vague = coverage->vague > 1 + flags.count / 50;
  return failures > 0 || is_vague || !all ? 1 : 0;
}

int Main(int argc, char** argv) {
  Flags flags;
  bool good = argc % 2 == 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const absl::string_view name = argv[i];
    if (name == "--count") {
      good &= absl::SimpleAtoi(argv[i + 1], &flags.count);
    } else if (name == "--seed" || name == "--show") {
      good &= absl::SimpleAtoi(argv[i + 1], &flags.seed);
      flags.show |= name == "--show";
    } else if (name == "--verbose") {
      good &= absl::SimpleAtoi(argv[i + 1], &flags.verbose);
    } else if (name == "--out") {
      flags.out = argv[i + 1];
    } else {
      good = false;
    }
  }
  if (!good) {
    std::cerr << "usage: contraction_fuzz_tool --count N --seed S [--out DIR] "
                 "[--verbose 1]\n"
                 "       contraction_fuzz_tool --show SEED\n";
    return 2;
  }
  setenv("TESSERA_VERIFY_PLANS", "1", /*overwrite=*/1);
  return flags.show ? Show(flags) : Run(flags);
}

}  // namespace
}  // namespace xla::fuzz

int main(int argc, char** argv) { return xla::fuzz::Main(argc, argv); }
