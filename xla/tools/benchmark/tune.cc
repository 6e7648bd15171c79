// All candidates run once in each round; their times are compared within it.
#include "xla/tools/benchmark/tune.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/cpu/compile_dump.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/tuning/timed_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/tools/benchmark/benchmark.h"
#include "xla/tools/program_buffers.h"

namespace xla::tools {
namespace {

using cpu::KernelTimes;
using cpu::KernelTuning;
using cpu::TuningTable;

// The least rounds, and the most rounds of programs that take microseconds.
constexpr int kLeastRounds = 7;
constexpr int kMostRounds = 1000;
// A tuning replaces the model's choice if it takes less than this part of its
// time in half of the rounds, and less time in three quarters.
constexpr double kClearly = 0.97;
// The time of the second measurement, of two programs, is that of the first
// divided by this.
constexpr double kCheckedPart = 4;
// The most characters of a key in a report.
constexpr size_t kMostShown = 100;

// A program with one table, and the seconds of each kernel in each round.
struct Candidate {
  std::shared_ptr<const TuningTable> table;
  std::shared_ptr<KernelTimes> times = std::make_shared<KernelTimes>();
  std::unique_ptr<Executable> executable;
  std::map<std::string, std::vector<double>> seconds = {};
};

bool HasTunable(const HloModule& module) {
  return absl::c_any_of(module.computations(), [](const auto& computation) {
    return absl::c_any_of(computation->instructions(),
                          [](const auto& hlo) { return cpu::IsTunable(*hlo); });
  });
}

class Tuner {
 public:
  Tuner(const HloModule& module, ThreadPool& pool)
      : module_(module),
        pool_(pool),
        processor_(
            TuningTable::ProcessorOf(cpu::HostTarget(), pool.num_threads())) {}

  const std::string& processor() const { return processor_; }

  absl::StatusOr<Candidate> Compile(TuningTable table) const {
    Candidate candidate = {
        std::make_shared<const TuningTable>(std::move(table))};
    cpu::CpuCompilerOptions options;
    options.runner = &pool_;
    options.pool = &pool_;
    options.tuning = candidate.table;
    options.kernel_times = candidate.times;
    std::unique_ptr<HloModule> copy = module_.Clone("");
    cpu::CompileDump::ClearRequests(
        copy->mutable_config().mutable_debug_options());
    TF_ASSIGN_OR_RETURN(
        candidate.executable,
        cpu::CpuCompiler(std::move(options)).Compile(std::move(copy)));
    return candidate;
  }

  // Runs all of them in turns for about so long.
  static absl::Status RunInTurns(
      std::vector<Candidate>& candidates,
      absl::Span<const std::vector<Literal>> arguments, double seconds) {
    TF_ASSIGN_OR_RETURN(
        const std::unique_ptr<ProgramBuffers> buffers,
        ProgramBuffers::Create(*candidates[0].executable, arguments));
    Stopwatch clock;
    double spent = 0;
    // Round -1 touches memory, and is not counted.
    for (int round = -1;
         round < kLeastRounds || (spent < seconds && round < kMostRounds);
         ++round) {
      for (Candidate& candidate : candidates) {
        TF_RETURN_IF_ERROR(candidate.executable->ExecuteBuffers(
            buffers->devices(), Executable::RunOptions()));
        for (const auto& [key, time] : candidate.times->Take()) {
          if (round >= 0) candidate.seconds[key].push_back(time);
        }
      }
      spent += clock.Lap();
    }
    return absl::OkStatus();
  }

 private:
  const HloModule& module_;
  ThreadPool& pool_;
  const std::string processor_;
};

// Returns the part of the model's time that a kernel takes; 1 if that is not
// clearly less.
double RatioOf(const std::string& key, const Candidate& modelled,
               const Candidate& candidate) {
  const auto before = modelled.seconds.find(key);
  const auto after = candidate.seconds.find(key);
  // The kernel may be in a branch that was not always taken.
  if (before == modelled.seconds.end() || after == candidate.seconds.end() ||
      before->second.size() != after->second.size()) {
    return 1;
  }
  std::vector<double> ratios;
  for (size_t i = 0; i < after->second.size(); ++i) {
    ratios.push_back(after->second[i] / before->second[i]);
  }
  absl::c_sort(ratios);
  const double ratio = Quantile(ratios, 0.5);
  return ratio < kClearly && Quantile(ratios, 0.75) < 1 ? ratio : 1;
}

}  // namespace

absl::StatusOr<std::vector<TunedKernel>> TuneKernels(
    const HloModule& module, absl::Span<const std::vector<Literal>> arguments,
    double seconds, ThreadPool& pool) {
  const Tuner tuner(module, pool);
  std::vector<Candidate> candidates;
  for (const KernelTuning& tuning : cpu::CandidateTunings()) {
    TF_ASSIGN_OR_RETURN(Candidate candidate,
                        tuner.Compile(TuningTable(tuner.processor(), tuning)));
    candidates.push_back(std::move(candidate));
    if (!HasTunable(candidates[0].executable->module())) {
      return std::vector<TunedKernel>();
    }
  }
  TF_RETURN_IF_ERROR(Tuner::RunInTurns(candidates, arguments, seconds));
  const Candidate& modelled = candidates[0];
  TuningTable best(tuner.processor());
  for (const auto& [key, unused] : modelled.seconds) {
    double least = 1;
    for (const Candidate& candidate : candidates) {
      const double ratio = RatioOf(key, modelled, candidate);
      if (ratio >= least) continue;
      least = ratio;
      best.Set(key, candidate.table->others());
    }
  }
  // The least of many times is less than it would be again, so that what is
  // kept and reported is measured once more.
  std::vector<Candidate> two;
  for (TuningTable table : {TuningTable(tuner.processor()), best}) {
    TF_ASSIGN_OR_RETURN(Candidate candidate, tuner.Compile(std::move(table)));
    two.push_back(std::move(candidate));
  }
  TF_RETURN_IF_ERROR(Tuner::RunInTurns(two, arguments, seconds / kCheckedPart));
  std::vector<TunedKernel> kernels;
  for (auto& [key, times] : two[0].seconds) {
    const double ratio = RatioOf(key, two[0], two[1]);
    absl::c_sort(times);
    TunedKernel kernel = {key, Quantile(times, 0.5)};
    if (ratio < 1) {
      kernel.slowdown = 1 / ratio;
      kernel.tuning = best.Find(key);
    }
    kernels.push_back(std::move(kernel));
  }
  std::sort(kernels.begin(), kernels.end(),
            [](const TunedKernel& a, const TunedKernel& b) {
              return a.seconds > b.seconds;
            });
  return kernels;
}

absl::StatusOr<std::string> KeepTunings(const std::vector<TunedKernel>& kernels,
                                        const ThreadPool& pool) {
  const std::string processor =
      TuningTable::ProcessorOf(cpu::HostTarget(), pool.num_threads());
  const std::string path = TuningTable::PathFor(processor);
  if (path.empty()) {
    return absl::FailedPreconditionError(
        "none of TESSERA_CACHE_DIR, XDG_CACHE_HOME and HOME is set, so that "
        "tunings cannot be kept");
  }
  TuningTable table(processor);
  if (const auto kept = TuningTable::ForProcessor(processor)) table = *kept;
  for (const TunedKernel& kernel : kernels) {
    table.Set(kernel.key, kernel.tuning);
  }
  TF_RETURN_IF_ERROR(table.Write(path));
  return path;
}

std::string TuningReport(const std::vector<TunedKernel>& kernels,
                         const std::string& path) {
  if (kernels.empty()) return "tuning: the program has no products\n";
  std::string text;
  double modelled = 0, best = 0;
  for (const TunedKernel& kernel : kernels) {
    modelled += kernel.seconds;
    best += kernel.seconds / kernel.slowdown;
    absl::StrAppendFormat(
        &text, "  %9.3f us, the model %2.0f%% off: %s\n    %s%s\n",
        kernel.seconds * 1e6, (kernel.slowdown - 1) * 100,
        kernel.tuning.ToString(), kernel.key.substr(0, kMostShown),
        kernel.key.size() > kMostShown ? "..." : "");
  }
  return absl::StrFormat(
      "tuning: %d kernels, which take %.3f us as modelled and %.3f us tuned "
      "(the model %.0f%% off); kept in %s\n%s",
      kernels.size(), modelled * 1e6, best * 1e6,
      (modelled / std::max(best, 1e-12) - 1) * 100, path, text);
}

}  // namespace xla::tools
