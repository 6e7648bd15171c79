// Runs random programs on the evaluator and on the CPU backend and compares:
//
//   program_fuzz_tool --count N --seed S [--out DIR] [--sharded 1]
//   program_fuzz_tool --show SEED [--sharded 1]
//
// Programs have the seeds S to S + N - 1. A failure, which may be a crash or a
// hang, is printed with its seed; a smaller program that fails in the same way
// is written to DIR/SEED.hlo, its arguments to DIR/SEED.npz. Every thunk plan
// is verified (thunk_plan_verifier.h), and every tenth program also has its
// thunks compared. Sharded programs run on 2 to 8 devices, with random
// shardings, and are compared with one. The second form prints a program. The
// exit status is 1 if there were failures.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tests/fuzz/program_check.h"
#include "tests/fuzz/program_generator.h"
#include "tests/fuzz/program_sharding.h"
#include "tests/fuzz/seed_runs.h"

namespace xla::fuzz {
namespace {

// One program in this many also has its thunks compared (checked_thunk.h).
constexpr uint64_t kCheckEvery = 10;

struct Flags {
  uint64_t count = 100;
  uint64_t seed = 1;
  std::string out;
  bool show = false;
  uint64_t sharded = 0;
};

absl::StatusOr<Program> ProgramOf(const Flags& flags, uint64_t seed) {
  absl::StatusOr<Program> program = MakeProgram(seed);
  if (program.ok() && flags.sharded != 0) AddShardings(seed, *program);
  if (program.ok() && seed % kCheckEvery == 0) {
    DebugOptions& options =
        program->module->mutable_config().mutable_debug_options();
    (*options.mutable_xla_backend_extra_options())["xla_tessera_check_thunks"] =
        "";
  }
  return program;
}

void Report(const Flags& flags, uint64_t seed, const std::string& failure) {
  std::cout << "seed " << seed << " " << failure << std::endl;
  if (flags.out.empty()) return;
  auto program = ProgramOf(flags, seed);
  if (!program.ok()) return;
  const Program small = Minimize(std::move(*program), failure);
  const std::string path = absl::StrCat(flags.out, "/", seed);
  if (const absl::Status saved =
          SaveProgram(*small.module, small.arguments, path);
      !saved.ok()) {
    std::cout << "  " << saved.ToString() << std::endl;
    return;
  }
  std::cout << "  " << path << ".hlo: "
            << small.module->entry_computation()->instruction_count()
            << " instructions" << std::endl;
}

std::string RunSeed(const Flags& flags, uint64_t seed) {
  const auto program = ProgramOf(flags, seed);
  if (!program.ok()) {
    return absl::StrCat("generator: ", program.status().ToString());
  }
  return Check(*program);
}

int Show(const Flags& flags) {
  const auto program = ProgramOf(flags, flags.seed);
  if (!program.ok()) {
    std::cerr << program.status().ToString() << "\n";
    return 2;
  }
  std::cout << program->module->ToString(HloPrintOptions::Lossless());
  return 0;
}

int Run(const Flags& flags) {
  const uint64_t failures = RunSeeds(
      flags.seed, flags.count,
      [&](uint64_t seed) { return RunSeed(flags, seed); },
      [&](uint64_t seed, const std::string& failure) {
        Report(flags, seed, failure);
      });
  std::cout << flags.count << " programs, " << failures << " failures"
            << std::endl;
  return failures > 0 ? 1 : 0;
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
    } else if (name == "--sharded") {
      good &= absl::SimpleAtoi(argv[i + 1], &flags.sharded);
    } else if (name == "--out") {
      flags.out = argv[i + 1];
    } else {
      good = false;
    }
  }
  if (!good) {
    std::cerr << "usage: program_fuzz_tool --count N --seed S [--out DIR] "
                 "[--sharded 1]\n"
                 "       program_fuzz_tool --show SEED [--sharded 1]\n";
    return 2;
  }
  setenv("TESSERA_VERIFY_PLANS", "1", /*overwrite=*/1);
  return flags.show ? Show(flags) : Run(flags);
}

}  // namespace
}  // namespace xla::fuzz

int main(int argc, char** argv) { return xla::fuzz::Main(argc, argv); }
