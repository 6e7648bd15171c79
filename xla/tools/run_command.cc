// tessera run: runs a program and prints, writes or checks its results.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/backends/compiler.h"
#include "xla/backends/partition_module.h"
#include "xla/backends/sharded_literals.h"
#include "xla/base/status_macros.h"
#include "xla/tools/arrays.h"
#include "xla/tools/commands.h"
#include "xla/tools/compiled_program.h"
#include "xla/tools/explain_report.h"
#include "xla/tools/number_flags.h"
#include "xla/tools/program.h"
#include "xla/tools/progress/interrupts.h"
#include "xla/tools/progress/progress.h"
#include "xla/tools/reports.h"
#include "xla/tools/trace_file.h"

namespace xla::tools {
namespace {

struct RunFlags {
  ProgramFlags program;
  std::string outputs;
  std::string expect;
  std::string trace;
  int64_t repeat = 1;
  std::optional<double> atol;
  std::optional<double> rtol;
  bool quiet = false;
  bool explain_copies = false;
  std::string explain;  // empty, "top" or "all"
  bool report = false;
  bool check = false;
};

// If only one of the two error bounds is given, the other one is 0.
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

// The lines that --explain prints.
constexpr int64_t kExplainedLines = 10;

absl::Status PrintExplanation(const RunFlags& flags,
                              const Executable& executable) {
  const CompileReport* report = executable.compile_report();
  if (report == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("--explain: backend ", flags.program.backend,
                     " does not optimise; cpu does"));
  }
  std::cout << ExplainReport(report->missed,
                             flags.explain == "all"
                                 ? std::numeric_limits<int64_t>::max()
                                 : kExplainedLines);
  return absl::OkStatus();
}

// Asks for what the compiler does only if it is asked to.
void SetBackendOptions(const RunFlags& flags, HloModule& module) {
  auto& extra = *module.mutable_config()
                     .mutable_debug_options()
                     .mutable_xla_backend_extra_options();
  if (flags.check) extra["xla_tessera_check_thunks"] = "";
  if (!flags.explain.empty()) extra["xla_tessera_explain"] = "";
}

absl::Status CheckFlags(const RunFlags& flags) {
  if (flags.program.backend == "cpu") return absl::OkStatus();
  if (flags.check) {
    return absl::InvalidArgumentError(
        absl::StrCat("--check compares thunks of backend cpu with the "
                     "evaluator; there are none on backend ",
                     flags.program.backend));
  }
  if (!flags.trace.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--trace shows thunks of backend cpu; there are none on "
                     "backend ",
                     flags.program.backend));
  }
  return absl::OkStatus();
}

// Prints what the flags ask for of a program that is compiled.
absl::Status PrintReports(const RunFlags& flags,
                          const CompiledProgram& program) {
  const Executable& executable = *program.executable;
  if (flags.explain_copies) std::cout << CopiesReport(executable.module());
  if (!flags.explain.empty()) {
    TF_RETURN_IF_ERROR(PrintExplanation(flags, executable));
  }
  if (!flags.report) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const std::string report, ExecutableReport(executable));
  std::cout << CacheReport(*program.compiler) << report;
  return absl::OkStatus();
}

absl::Status Run(const RunFlags& flags) {
  TF_RETURN_IF_ERROR(CheckFlags(flags));
  for (const std::string& output : {flags.outputs, flags.trace}) {
    if (!output.empty()) TF_RETURN_IF_ERROR(CheckWritable(output));
  }
  std::optional<Progress> progress(std::in_place, flags.program.progress,
                                   "reading", flags.program.program);
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(flags.program));
  SetBackendOptions(flags, *module);
  TF_ASSIGN_OR_RETURN(const std::vector<std::vector<Literal>> arguments,
                      MakeArguments(flags.program, *module));
  std::vector<std::vector<const Literal*>> borrowed(arguments.size());
  for (size_t device = 0; device < arguments.size(); ++device) {
    for (const Literal& argument : arguments[device]) {
      borrowed[device].push_back(&argument);
    }
  }
  const bool is_sharded = HasShardings(*module);
  const Shape whole = module->entry_computation()->root_instruction()->shape();
  TF_ASSIGN_OR_RETURN(CompiledProgram program,
                      MakeProgramCompiler(flags.program));
  std::optional<TraceFile> trace;
  if (!flags.trace.empty()) {
    TF_ASSIGN_OR_RETURN(trace, TraceFile::Start(flags.trace));
  }
  TF_ASSIGN_OR_RETURN(program.executable,
                      program.compiler->Compile(std::move(module)));
  const Executable* const executable = program.executable.get();
  progress.reset();
  TF_RETURN_IF_ERROR(PrintReports(flags, program));
  progress.emplace(flags.program.progress, "run", executable->module().name());
  Executable::RunOptions options;
  options.seed = flags.program.seed;
  std::vector<Literal> results;
  std::vector<double> milliseconds;
  for (int64_t i = 0; i < flags.repeat; ++i) {
    options.run_id = i;
    const auto start = std::chrono::steady_clock::now();
    if (is_sharded) {
      results.clear();
      TF_ASSIGN_OR_RETURN(
          results.emplace_back(),
          ExecuteSharded(*executable, borrowed[0], whole, options));
    } else {
      TF_ASSIGN_OR_RETURN(results, executable->Execute(borrowed, options));
    }
    milliseconds.push_back(std::chrono::duration<double, std::milli>(
                               std::chrono::steady_clock::now() - start)
                               .count());
  }
  progress.reset();
  if (trace.has_value()) TF_RETURN_IF_ERROR(trace->Write(*program.pool));
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
  AddProgramFlags(*command, &flags->program);
  command->add_option("--outputs", flags->outputs,
                      "Write the results to this .npz file, as out0, out1, ... "
                      "or r<k>_out<i>");
  command->add_option("--expect", flags->expect,
                      ".npz file with the expected results out0, out1, ...; "
                      "exit code 1 and the worst elements if they differ");
  command
      ->add_option("--repeat", flags->repeat,
                   "Run so often and print the times")
      ->check(IntegerFlag(1));
  command
      ->add_option("--atol", flags->atol, "Absolute error allowed by --expect")
      ->check(ErrorBoundFlag());
  command
      ->add_option("--rtol", flags->rtol,
                   "Relative error allowed by --expect; by default some "
                   "hundred roundings of the type")
      ->check(ErrorBoundFlag());
  command
      ->add_flag("--explain{top}", flags->explain,
                 "Print what was not fused, not in place and not vectorized, "
                 "and why: the ten dearest lines of the source, or all lines "
                 "if it is --explain=all")
      ->check(CLI::IsMember({"top", "all"}));
  command->add_flag("--explain-copies", flags->explain_copies,
                    "Print each copy that the compiler had to add, and why");
  command->add_flag("--report", flags->report,
                    "Print costs, memory, compile times and thunks");
  command->add_flag("--check", flags->check,
                    "Compare each thunk with the evaluator on the arrays that "
                    "it finds; name the first that differs, with its HLO");
  command->add_option("--trace", flags->trace,
                      "Write when each thread compiled and ran what to this "
                      "file: JSON for ui.perfetto.dev, or, if its name ends in "
                      ".pb, an XSpace for XProf");
  command->add_flag("-q,--quiet", flags->quiet, "Do not print the results");
  command->callback([=] {
    *action = [=] { return RunInterruptibly([&] { return Run(*flags); }); };
  });
}

}  // namespace xla::tools
