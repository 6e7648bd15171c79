// tessera reduce: makes a program on which something fails small.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/tools/commands.h"
#include "xla/tools/debugging/backend_comparison.h"
#include "xla/tools/debugging/child_process.h"
#include "xla/tools/debugging/comparison_flags.h"
#include "xla/tools/debugging/temporary_folder.h"
#include "xla/tools/program.h"
#include "xla/tools/reduction/reducer.h"

namespace xla::tools {
namespace {

constexpr int64_t kMaxReduceTests = 20000;

struct ReduceFlags {
  std::string program = "-";
  std::string output = "-";
  std::string backend = DefaultCompilerName();
  std::string test;
  std::string error_text;
  bool check = false;
  ComparisonFlags comparison;
};

// A failure: how to test for it, and the command that shows it again.
struct Failure {
  FailureTest test;
  std::string command;
  std::string bounds;  // flags of the command that follow its inputs
};

// Returns the seconds that a smaller program may take where the whole one took
// `whole_s`: some steps make a loop endless. `limit_s` is the user's limit, 0
// for none.
double LimitOfTrials(double limit_s, double whole_s) {
  return std::min(limit_s, std::max(1.0, 20 * whole_s));
}

double SecondsSince(absl::Time begin) {
  return absl::ToDoubleSeconds(absl::Now() - begin);
}

// The text as one word of a shell.
std::string ShellQuoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

absl::StatusOr<Failure> ShellFailure(const ReduceFlags& flags) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<TemporaryFolder> made,
                      TemporaryFolder::Make("tessera-reduce"));
  const std::shared_ptr<TemporaryFolder> folder = std::move(made);
  const std::string path = folder->path() + "/program.hlo";
  Failure failure;
  failure.test = [&flags, folder, path,
                  limit_s = flags.comparison.time_limit_s](
                     const ReducibleProgram& program) mutable {
    if (!SaveProgram(program, path).ok()) return false;
    const absl::Time begin = absl::Now();
    const absl::StatusOr<ChildResult> result = RunShellCommand(
        flags.test, {{"PROGRAM", path}, {"INPUTS", ArgumentsPath(path)}},
        limit_s);
    const bool fails = result.ok() &&
                       result->end == ChildResult::End::kReturned &&
                       result->exit_code == 0;
    // The first program is the whole one.
    if (fails) limit_s = LimitOfTrials(limit_s, SecondsSince(begin));
    return fails;
  };
  failure.command =
      absl::StrCat("PROGRAM=", flags.output,
                   (flags.comparison.inputs.empty()
                        ? std::string()
                        : " INPUTS=" + ArgumentsPath(flags.output)),
                   " sh -c ", ShellQuoted(flags.test));
  return failure;
}

bool IsSameFailure(const Outcome& wanted, const std::string& text,
                   const Outcome& outcome) {
  return outcome.kind == wanted.kind &&
         (text.empty() || absl::StrContains(outcome.message, text));
}

// Finds out what fails: compiling the program, or running it.
absl::StatusOr<Failure> BackendFailure(const ReduceFlags& flags,
                                       ReducibleProgram& program) {
  ComparisonOptions options = OptionsOf(flags.comparison);
  options.backend = flags.backend;
  options.check_thunks = flags.check;
  absl::Time begin = absl::Now();
  Outcome outcome = CompileGuarded(*program.module, options);
  const bool compiles = outcome.kind == Outcome::Kind::kAgree;
  if (compiles) {
    TF_ASSIGN_OR_RETURN(program.arguments,
                        ArgumentsOf(flags.comparison, *program.module));
    begin = absl::Now();
    outcome = CompareBackends(*program.module, program.arguments, options);
  }
  if (outcome.kind != Outcome::Kind::kTimeLimit) {
    options.time_limit_s =
        LimitOfTrials(options.time_limit_s, SecondsSince(begin));
  }
  if (outcome.kind == Outcome::Kind::kAgree) {
    return absl::FailedPreconditionError(
        absl::StrCat("reduce: ", flags.backend,
                     " compiles the program and its results are the "
                     "evaluator's; --test says what else fails"));
  }
  if (!flags.error_text.empty() &&
      !absl::StrContains(outcome.message, flags.error_text)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "reduce: what happens (", KindName(outcome.kind),
        ") does not have the text of --error-text:\n", outcome.message));
  }
  std::cerr << "reduce: " << (compiles ? "running" : "compiling") << ": "
            << KindName(outcome.kind) << "\n"
            << outcome.message << "\n";
  Failure failure;
  // The default bounds may hide what these show.
  const ComparisonFlags& bounds = flags.comparison;
  if (outcome.kind == Outcome::Kind::kDiffer && bounds.atol.has_value()) {
    absl::StrAppend(&failure.bounds, " --atol=", *bounds.atol);
  }
  if (outcome.kind == Outcome::Kind::kDiffer && bounds.rtol.has_value()) {
    absl::StrAppend(&failure.bounds, " --rtol=", *bounds.rtol);
  }
  failure.test = [=, text = flags.error_text](const ReducibleProgram& smaller) {
    return IsSameFailure(
        outcome, text,
        compiles ? CompareBackends(*smaller.module, smaller.arguments, options)
                 : CompileGuarded(*smaller.module, options));
  };
  failure.command = absl::StrCat(
      outcome.kind == Outcome::Kind::kDiffer ? "tessera opt --bisect "
      : flags.check
          ? "tessera run --check "
          : absl::StrCat("tessera run --backend ", flags.backend, " "),
      flags.output);
  return failure;
}

absl::Status Run(const ReduceFlags& flags) {
  if (!flags.test.empty() && (flags.check || !flags.error_text.empty())) {
    return absl::InvalidArgumentError(
        "--test alone says what fails: --check and --error-text do not go with "
        "it");
  }
  if (flags.check && flags.backend != "cpu") {
    return absl::InvalidArgumentError("--check is for backend cpu");
  }
  TF_RETURN_IF_ERROR(CheckWritable(flags.output));
  ReducibleProgram program;
  TF_ASSIGN_OR_RETURN(program.module, ReadProgramToDebug(flags.program));
  Failure failure;
  if (flags.test.empty()) {
    TF_ASSIGN_OR_RETURN(failure, BackendFailure(flags, program));
  } else {
    if (!flags.comparison.inputs.empty()) {
      TF_ASSIGN_OR_RETURN(program.arguments,
                          ArgumentsOf(flags.comparison, *program.module));
    }
    TF_ASSIGN_OR_RETURN(failure, ShellFailure(flags));
  }
  const int64_t instructions = program.module->instruction_count();
  TF_ASSIGN_OR_RETURN(const Reduction reduction,
                      Reduce(std::move(program), failure.test,
                             ReductionOptionsOf(flags.comparison)));
  if (isatty(STDERR_FILENO)) std::cerr << "\n";
  TF_RETURN_IF_ERROR(SaveProgram(reduction.program, flags.output));
  std::cerr << "reduce: " << instructions << " instructions became "
            << reduction.program.module->instruction_count() << " in "
            << reduction.tests << " tests"
            << (reduction.complete ? "" : ", the most allowed") << "\n";
  if (flags.output == "-") return absl::OkStatus();
  std::cerr << "reduce: the failure is in " << failure.command;
  if (flags.test.empty() && !reduction.program.arguments.empty()) {
    std::cerr << " --inputs " << ArgumentsPath(flags.output);
  }
  if (flags.test.empty()) std::cerr << failure.bounds;
  std::cerr << "\n";
  return absl::OkStatus();
}

}  // namespace

void AddReduceCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<ReduceFlags>();
  CLI::App* command = app.add_subcommand(
      "reduce",
      "Makes a program on which something fails as small as it can. Without "
      "--test: what a backend does otherwise than the evaluator, or an error, "
      "a crash or too long a time, whichever happens to the program.");
  command
      ->add_option("program", flags->program,
                   "HLO text or proto, StableHLO text or artifact; - is "
                   "standard input")
      ->required();
  command->add_option("-o,--output", flags->output,
                      "Where to write the HLO text, and beside it the "
                      "arguments as .npz; - is standard output");
  command->add_option("--backend", flags->backend, "The backend that fails")
      ->check(CLI::IsMember(CompilerNames()));
  command->add_option("--test", flags->test,
                      "A shell command that exits with 0 while the failure is "
                      "there; $PROGRAM is the HLO file, $INPUTS the .npz file, "
                      "which is there if --inputs is given");
  command->add_option("--error-text", flags->error_text,
                      "Text that the message of an error, a crash or a "
                      "difference must have");
  command->add_flag("--check", flags->check,
                    "Also compare each thunk, as `tessera run --check` does");
  AddComparisonFlags(*command, kMaxReduceTests, &flags->comparison);
  command->callback([=] { *action = [=] { return Run(*flags); }; });
}

}  // namespace xla::tools
