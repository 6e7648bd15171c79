// Turns flags into options, programs and arguments.
#include "xla/tools/debugging/comparison_flags.h"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/core/literal/literal_io.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/tools/arrays.h"
#include "xla/tools/compiled_program.h"
#include "xla/tools/number_flags.h"
#include "xla/tools/program.h"

namespace xla::tools {

void AddComparisonFlags(CLI::App& command, int64_t max_tests,
                        ComparisonFlags* flags) {
  flags->max_tests = max_tests;
  command.add_option("--inputs", flags->inputs,
                     ".npz file with the arguments as arg0, arg1, ...; random "
                     "arguments if not given");
  command
      .add_option("--atol", flags->atol,
                  "Absolute error between results that agree")
      ->check(ErrorBoundFlag());
  command
      .add_option("--rtol", flags->rtol,
                  "Relative error between results that agree; by default some "
                  "hundred roundings of the type")
      ->check(ErrorBoundFlag());
  command
      .add_option("--seed", flags->seed,
                  "Seed of random arguments and of rng ops")
      ->check(SeedFlag());
  command
      .add_option("--time-limit", flags->time_limit_s,
                  "Seconds that one compilation with its runs may take, 60 by "
                  "default; 0 is no limit")
      ->check(NumberFlag());
  command
      .add_option("--max-tests", flags->max_tests,
                  absl::StrCat("Test at most so many smaller programs, ",
                               max_tests, " by default"))
      ->check(IntegerFlag(0));
}

ComparisonOptions OptionsOf(const ComparisonFlags& flags) {
  ComparisonOptions options;
  if (flags.atol.has_value() || flags.rtol.has_value()) {
    options.error = ErrorSpec(flags.atol.value_or(0), flags.rtol.value_or(0));
  }
  options.seed = flags.seed;
  options.time_limit_s = flags.time_limit_s;
  return options;
}

absl::StatusOr<std::unique_ptr<HloModule>> ReadProgramToDebug(
    const std::string& path) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(path, /*verify=*/false));
  TF_RETURN_IF_ERROR(
      HloVerifier({.allow_entry_buffers = true}).Verify(*module));
  module->mutable_config().set_debug_options(GetDebugOptionsFromFlags());
  return module;
}

absl::StatusOr<std::vector<Literal>> ArgumentsOf(const ComparisonFlags& flags,
                                                 const HloModule& module) {
  const int64_t devices =
      module.config().replica_count() * module.config().num_partitions();
  if (devices != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the program is for ", devices,
                     " devices; only those of one device are compared"));
  }
  ProgramFlags program;
  program.inputs = flags.inputs;
  program.seed = flags.seed;
  TF_ASSIGN_OR_RETURN(std::vector<std::vector<Literal>> arguments,
                      MakeArguments(program, module));
  return std::move(arguments[0]);
}

ReductionOptions ReductionOptionsOf(const ComparisonFlags& flags) {
  ReductionOptions options;
  options.max_tests = flags.max_tests;
  options.evaluation_limit_s = flags.time_limit_s;
  if (isatty(STDERR_FILENO)) {
    options.progress = [](absl::string_view step, int64_t tests,
                          int64_t instructions) {
      std::cerr << absl::StreamFormat("\r%-20s %6d tests, %6d instructions ",
                                      step, tests, instructions)
                << std::flush;
    };
  }
  return options;
}

std::string ArgumentsPath(const std::string& program_path) {
  return absl::StrCat(absl::StripSuffix(program_path, ".hlo"), ".npz");
}

absl::Status SaveProgram(const ReducibleProgram& program,
                         const std::string& path) {
  TF_RETURN_IF_ERROR(
      WriteFile(path, program.module->ToString(HloPrintOptions::Lossless())));
  if (program.arguments.empty() || path == "-") return absl::OkStatus();
  std::vector<NamedLiteral> named;
  for (const Literal& argument : program.arguments) {
    for (NamedLiteral& leaf : NamedResults({&argument, 1})) {
      named.emplace_back(absl::StrCat("arg", named.size()),
                         std::move(leaf.second));
    }
  }
  TF_ASSIGN_OR_RETURN(const std::string npz, WriteNpz(named));
  return WriteFile(ArgumentsPath(path), npz);
}

}  // namespace xla::tools
