// tessera bench: times a program and compares it with the machine's limits.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/compile_dump.h"
#include "xla/backends/partition_module.h"
#include "xla/backends/sharded_literals.h"
#include "xla/base/control/activity.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/tools/benchmark/benchmark.h"
#include "xla/tools/benchmark/machine_limits.h"
#include "xla/tools/benchmark/tune.h"
#include "xla/tools/commands.h"
#include "xla/tools/compiled_program.h"
#include "xla/tools/number_flags.h"
#include "xla/tools/program.h"
#include "xla/tools/progress/interrupts.h"
#include "xla/tools/progress/progress.h"

namespace xla::tools {
namespace {

// The number of compilations after the first, which are timed. If the first one
// takes longer than kSlowCompileSeconds, there are none: nobody waits for
// minutes.
constexpr int kCompiles = 3;
constexpr double kSlowCompileSeconds = 2;
// The time for tuning, relative to --seconds.
constexpr double kTuningTime = 10;

struct BenchFlags {
  ProgramFlags program;
  int64_t repeat = 0;
  double seconds = 1;
  std::vector<std::string> more_programs;
  std::string html;
  bool json = false;
  bool no_limits = false;
  bool tune = false;
};

bool HasF64(const Shape& shape) {
  for (const Shape* leaf : Leaves(shape)) {
    if (leaf->element_type() == F64 || leaf->element_type() == C128) {
      return true;
    }
  }
  return false;
}

// True if a parameter or the result has f64 elements.
bool WorksOnF64(const ComputationLayout& layout) {
  return HasF64(layout.result_shape()) ||
         std::any_of(layout.parameter_layouts().begin(),
                     layout.parameter_layouts().end(),
                     [](const ShapeLayout& parameter) {
                       return HasF64(parameter.shape());
                     });
}

CompileReport ReportOf(const Executable& executable, double seconds) {
  CompileReport report;
  if (executable.compile_report() != nullptr) {
    report = *executable.compile_report();
  }
  report.seconds = seconds;
  return report;
}

// Compiles several times and records the times of the median compilation.
absl::Status TimeCompiles(const HloModule& module, CompiledProgram& program,
                          Benchmark& benchmark) {
  Stopwatch clock;
  std::unique_ptr<HloModule> copy = module.Clone("");
  clock.Lap();
  TF_ASSIGN_OR_RETURN(program.executable,
                      program.compiler->Compile(std::move(copy)));
  benchmark.first_compile_seconds = clock.Lap();
  std::vector<CompileReport> reports;
  if (benchmark.first_compile_seconds > kSlowCompileSeconds) {
    reports.push_back(
        ReportOf(*program.executable, benchmark.first_compile_seconds));
  } else {
    // Dumping once is enough.
    HloModuleConfig config = module.config();
    cpu::CompileDump::ClearRequests(config.mutable_debug_options());
    for (int i = 0; i < kCompiles; ++i) {
      copy = module.Clone("");
      copy->mutable_config() = config;
      clock.Lap();
      TF_ASSIGN_OR_RETURN(const std::unique_ptr<Executable> executable,
                          program.compiler->Compile(std::move(copy)));
      const double seconds = clock.Lap();
      reports.push_back(ReportOf(*executable, seconds));
    }
  }
  std::sort(reports.begin(), reports.end(),
            [](const CompileReport& a, const CompileReport& b) {
              return a.seconds < b.seconds;
            });
  benchmark.compile = std::move(reports[reports.size() / 2]);
  benchmark.compile_seconds = benchmark.compile.seconds;
  return absl::OkStatus();
}

// Measures tunings, keeps them, and prints a report on standard error.
absl::Status Tune(const BenchFlags& flags, const HloModule& module,
                  absl::Span<const std::vector<Literal>> arguments,
                  ThreadPool& pool) {
  if (flags.program.backend != "cpu") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--tune: backend ", flags.program.backend, " has no kernels to tune"));
  }
  if (module.config().num_partitions() > 1 ||
      module.config().replica_count() > 1) {
    return absl::UnimplementedError("--tune of programs for several devices");
  }
  TF_ASSIGN_OR_RETURN(
      const std::vector<TunedKernel> kernels,
      TuneKernels(module, arguments, kTuningTime * flags.seconds, pool));
  std::string path;
  if (!kernels.empty()) {
    TF_ASSIGN_OR_RETURN(path, KeepTunings(kernels, pool));
  }
  std::cerr << TuningReport(kernels, path);
  return absl::OkStatus();
}

// Benchmarks the program of `flags`. The first one measures `limits`.
absl::StatusOr<Benchmark> BenchProgram(const BenchFlags& flags,
                                       std::optional<MachineLimits>& limits) {
  std::optional<Progress> progress(std::in_place, flags.program.progress,
                                   "reading", flags.program.program);
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloModule> module,
                      ReadProgram(flags.program));
  TF_ASSIGN_OR_RETURN(std::vector<std::vector<Literal>> arguments,
                      MakeArguments(flags.program, *module));
  TF_ASSIGN_OR_RETURN(CompiledProgram program,
                      MakeProgramCompiler(flags.program));
  if (flags.tune) {
    progress.reset();
    TF_RETURN_IF_ERROR(Tune(flags, *module, arguments, *program.pool));
    // A new one reads the table.
    TF_ASSIGN_OR_RETURN(program, MakeProgramCompiler(flags.program));
    progress.emplace(flags.program.progress, "compiling", module->name());
  }
  Benchmark benchmark;
  benchmark.program = module->name();
  benchmark.file = flags.program.program;
  benchmark.backend = flags.program.backend;
  benchmark.threads = program.pool->num_threads();
  TF_RETURN_IF_ERROR(TimeCompiles(*module, program, benchmark));
  const HloModule& optimized = program.executable->module();
  TF_ASSIGN_OR_RETURN(benchmark.cost, CostOfProgram(optimized));
  benchmark.is_f64 = WorksOnF64(optimized.entry_computation_layout());
  if (HasShardings(*module)) {
    std::vector<const Literal*> whole;
    for (const Literal& argument : arguments[0]) whole.push_back(&argument);
    TF_ASSIGN_OR_RETURN(arguments, SplitArguments(optimized, whole));
  }
  benchmark.memory = program.executable->memory_stats();
  progress.reset();
  progress.emplace(flags.program.progress, "samples", module->name());
  // The executor is not to count thunks meanwhile.
  const ActivityScope nobody(nullptr);
  TF_ASSIGN_OR_RETURN(benchmark.run, TimeRuns(*program.executable, arguments,
                                              flags.repeat, flags.seconds));
  if (!flags.no_limits) {
    if (!limits.has_value()) {
      TF_ASSIGN_OR_RETURN(limits, MeasureMachineLimits(*program.pool));
    }
    benchmark.limits = *limits;
  }
  return benchmark;
}

absl::Status Bench(BenchFlags flags) {
  // The time of compiling is not that of finding the code, unless it is asked
  // for.
  if (!flags.program.cache_dir.has_value()) flags.program.cache_dir = "";
  if (!flags.more_programs.empty() && !flags.program.inputs.empty()) {
    return absl::InvalidArgumentError(
        "--inputs: the arguments of one program, but there are several");
  }
  if (!flags.html.empty()) TF_RETURN_IF_ERROR(CheckWritable(flags.html));
  std::vector<std::string> programs = {flags.program.program};
  programs.insert(programs.end(), flags.more_programs.begin(),
                  flags.more_programs.end());
  std::optional<MachineLimits> limits;
  std::vector<Benchmark> benchmarks;
  for (const std::string& program : programs) {
    flags.program.program = program;
    TF_ASSIGN_OR_RETURN(benchmarks.emplace_back(), BenchProgram(flags, limits));
    const Benchmark& benchmark = benchmarks.back();
    std::cout << (flags.json ? BenchmarkJson(benchmark) + "\n"
                             : BenchmarkTable(benchmark))
              << std::flush;
  }
  if (flags.html.empty()) return absl::OkStatus();
  return WriteFile(flags.html, BenchmarkPage(benchmarks));
}

}  // namespace

void AddBenchCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = app.add_subcommand(
      "bench",
      "Times a program, and compares it with what the machine can do.");
  AddProgramFlags(*command, &flags->program);
  command->add_option("programs", flags->more_programs,
                      "Further programs, timed one after the other");
  CLI::Option* repeat =
      command
          ->add_option("--repeat", flags->repeat,
                       "Take so many samples, each of one run or, if that is "
                       "short, of some")
          ->check(IntegerFlag(1));
  command
      ->add_option("--seconds", flags->seconds,
                   "Take samples for so long, 1 by default")
      ->check(NumberFlag(3600))
      ->excludes(repeat);
  command->add_flag("--json", flags->json,
                    "Print a JSON object for each program, on a line");
  command->add_option("--html", flags->html,
                      "Write a page with tables and the roofline plot to this "
                      "file, which needs no other file and no network");
  command->add_flag(
      "--tune", flags->tune,
      "Before, measure other plans for the program's products for ten times "
      "--seconds, and keep the best ones for this processor in the folder "
      "TESSERA_CACHE_DIR (by default ~/.cache/tessera), where later "
      "compilations find them; results stay the same, bit for bit");
  command->add_flag("--no-limits", flags->no_limits,
                    "Do not measure the machine's limits, which takes a "
                    "second; what is compared with them is 0");
  command->callback([=] {
    *action = [=] { return RunInterruptibly([&] { return Bench(*flags); }); };
  });
}

}  // namespace xla::tools
