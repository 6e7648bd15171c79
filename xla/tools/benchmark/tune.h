// Measures how plans of a program's kernels are best made on this processor.
#ifndef XLA_TOOLS_BENCHMARK_TUNE_H_
#define XLA_TOOLS_BENCHMARK_TUNE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/tuning/tuning_table.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/thread_pool.h"

namespace xla::tools {

// What was measured of the kernels with one key.
struct TunedKernel {
  std::string key;
  double seconds = 0;   // of one run of the program, as modelled
  double slowdown = 1;  // that time, divided by that of the best tuning
  cpu::KernelTuning
      tuning;  // the best; the model's unless it is clearly better
};

// Compiles `module` with each candidate, and runs them in turns for about
// `seconds`, so that what else happens on the machine meets all of them.
// Arguments are those of each device, as TimeRuns takes them. Kernels are in
// the order of their time, longest first; there are none if the program has no
// products. Errors: those of compilation and runs.
absl::StatusOr<std::vector<TunedKernel>> TuneKernels(
    const HloModule& module, absl::Span<const std::vector<Literal>> arguments,
    double seconds, ThreadPool& pool);

// Adds the kernels to the table of the cache folder for this processor and
// `pool`; returns its path. Errors: FailedPrecondition if no environment
// variable says where that is; those of TuningTable.
absl::StatusOr<std::string> KeepTunings(const std::vector<TunedKernel>& kernels,
                                        const ThreadPool& pool);

// A line for each kernel, and one that says how far off the model was.
std::string TuningReport(const std::vector<TunedKernel>& kernels,
                         const std::string& path);

}  // namespace xla::tools

#endif  // XLA_TOOLS_BENCHMARK_TUNE_H_
