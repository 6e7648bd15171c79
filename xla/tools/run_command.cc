// tessera run: runs a program and prints, writes or checks its results.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/backends/compiler.h"
#include "xla/backends/compiler.h"
#include "xla/client/compilers.h"
#include "xla/base/status_macros.h"
#include "xla/tools/arrays.h"
#include "xla/tools/commands.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

struct RunFlags {
  std::string program;
  std::string inputs;
  std::string outputs;
  std::string expect;
  std::string backend = DefaultCompilerName();
  int64_t replicas = 0;
  int64_t repeat = 1;
  uint64_t seed = 0;
  std::optional<double> atol;
  std::optional<double> rtol;
  bool quiet = false;
};

absl::StatusOr<std::vector<std::vector<Literal>>> MakeArguments(
    const RunFlags& flags, const HloModule& module, int64_t devices) {
  std::vector<Shape> parameters;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    parameters.push_back(parameter->shape());
  }
  if (parameters.empty()) {
    return std::vector<std::vector<Literal>>(devices);
  }
  if (flags.inputs.empty()) {
    return RandomArguments(parameters, devices, flags.seed);
  }
  TF_ASSIGN_OR_RETURN(std::string npz, ReadFile(flags.inputs));
  absl::StatusOr<std::vector<std::vector<Literal>>> arguments =
      ArgumentsFromNpz(npz, parameters, devices);
  if (arguments.ok()) return arguments;
  return absl::Status(
      arguments.status().code(),
      absl::StrCat(flags.inputs, ": ", arguments.status().message()));
}

// The default of a side that is not given is no error at all.
absl::Status Compare(const RunFlags& flags, absl::Span<const Literal> results) {
  TF_ASSIGN_OR_RETURN(std::string npz, ReadFile(flags.expect));
  std::optional<ErrorSpec> error;
  if (flags.atol.has_value() || flags.rtol.has_value()) {
    error = ErrorSpec(flags.atol.value_or(0), flags.rtol.value_or(0));
  }
  TF_RETURN_IF_ERROR(
      CompareResults(results, npz, error.has_value() ? &*error : nullptr));
  std::cout << "results are as in " << flags.expect << "\n";
  return absl::OkStatus();
}

void PrintTimes(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  std::cout << absl::StreamFormat(
      "%d runs: median %.3f ms, least %.3f ms, most %.3f ms\n",
      static_cast<int>(milliseconds.size()),
      milliseconds[milliseconds.size() / 2], milliseconds.front(),
      milliseconds.back());
}

absl::Status Run(const RunFlags& flags) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(flags.program));
  HloModuleConfig& config = module->mutable_config();
  if (flags.replicas > 0) config.replica_count = flags.replicas;
  const int64_t devices = config.replica_count * config.num_partitions;
  TF_ASSIGN_OR_RETURN(std::vector<std::vector<Literal>> arguments,
                      MakeArguments(flags, *module, devices));
  std::vector<std::vector<const Literal*>> borrowed(devices);
  for (int64_t device = 0; device < devices; ++device) {
    for (const Literal& argument : arguments[device]) {
      borrowed[device].push_back(&argument);
    }
  }
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler,
                      MakeCompiler(flags.backend));
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Executable> executable,
                      compiler->Compile(std::move(module)));
  Executable::RunOptions options;
  options.seed = flags.seed;
  std::vector<Literal> results;
  std::vector<double> milliseconds;
  for (int64_t i = 0; i < flags.repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    TF_ASSIGN_OR_RETURN(results, executable->Execute(borrowed, options));
    milliseconds.push_back(std::chrono::duration<double, std::milli>(
                               std::chrono::steady_clock::now() - start)
                               .count());
  }
  if (!flags.quiet) std::cout << PrintResults(results);
  if (flags.repeat > 1) PrintTimes(milliseconds);
  if (!flags.outputs.empty()) {
    TF_ASSIGN_OR_RETURN(std::string npz, WriteNpz(NamedResults(results)));
    TF_RETURN_IF_ERROR(WriteFile(flags.outputs, npz));
  }
  return flags.expect.empty() ? absl::OkStatus() : Compare(flags, results);
}

}  // namespace

void AddRunCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand(
      "run", "Runs a program and prints its results, or compares them.");
  command
      ->add_option("program", flags->program,
                   "HLO text or HloModuleProto, StableHLO text or artifact, "
                   "told apart by content; - is standard input")
      ->required();
  command->add_option("--inputs", flags->inputs,
                      ".npz file with the arguments as arg0, arg1, ..., tuples "
                      "flattened; r<k>_arg<i> is for replica k alone. Random "
                      "arguments if not given");
  command->add_option("--outputs", flags->outputs,
                      "Write the results to this .npz file, as out0, out1, ... "
                      "or r<k>_out<i>");
  command->add_option("--expect", flags->expect,
                      ".npz file with the expected results out0, out1, ...; "
                      "exit code 1 and the worst elements if they differ");
  command
      ->add_option("--backend", flags->backend,
                   "cpu: native code; evaluator: the reference, plain loops")
      ->check(CLI::IsMember(CompilerNames()));
  command
      ->add_option("--replicas", flags->replicas,
                   "Run so many replicas in lock step; by default as many as "
                   "the module says")
      ->check(CLI::Range(int64_t{1}, int64_t{1024}));
  command
      ->add_option("--repeat", flags->repeat,
                   "Run so often and print the times")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", flags->seed,
                      "Seed of random arguments and of rng ops");
  command->add_option("--atol", flags->atol,
                      "Absolute error allowed by --expect");
  command->add_option("--rtol", flags->rtol,
                      "Relative error allowed by --expect; by default some "
                      "hundred roundings of the type");
  command->add_flag("-q,--quiet", flags->quiet, "Do not print the results");
  command->callback([=] { *action = [=] { return Run(*flags); }; });
}

}  // namespace xla::tools
