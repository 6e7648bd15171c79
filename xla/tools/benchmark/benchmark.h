// Times the compilation and the runs of a program, and relates the run time to
// the machine's limits.
#ifndef XLA_TOOLS_BENCHMARK_BENCHMARK_H_
#define XLA_TOOLS_BENCHMARK_BENCHMARK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/compiler.h"
#include "xla/backends/program_cost.h"
#include "xla/core/literal/literal.h"
#include "xla/tools/benchmark/machine_limits.h"

namespace xla::tools {

// Seconds per run: quartiles over samples, each of which is the mean of several
// runs, so that short runs exceed the resolution of the clock.
struct RunTimes {
  double median = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
  double least = 0;
  int64_t samples = 0;
  int64_t runs_per_sample = 1;
};

struct Benchmark {
  std::string program;  // the module's name
  std::string file;     // as it was given
  std::string backend;
  int threads = 0;
  double first_compile_seconds = 0;  // including one-time initialization
  double compile_seconds = 0;        // of a later compilation
  CompileReport compile;             // of that compilation, or empty
  RunTimes run;
  ProgramCost cost;     // of one run on one device
  bool is_f64 = false;  // selects the arithmetic limit
  Executable::MemoryStats memory;
  MachineLimits limits;
};

// Returns the value below which the fraction `q` of the sorted samples lies.
double Quantile(const std::vector<double>& sorted, double q);

// Runs until there are `samples` samples or, if that is 0, `seconds` have
// passed. Errors: those of the run.
absl::StatusOr<RunTimes> TimeRuns(
    const Executable& executable,
    absl::Span<const std::vector<Literal>> arguments, int64_t samples,
    double seconds);

std::string BenchmarkTable(const Benchmark& benchmark);
// One JSON object; numbers are in seconds, bytes, operations and their
// quotients.
std::string BenchmarkJson(const Benchmark& benchmark);
// HTML with the numbers of BenchmarkJson, and plots of them. `benchmarks` are
// of one machine, at least one.
std::string BenchmarkPage(absl::Span<const Benchmark> benchmarks);

}  // namespace xla::tools

#endif  // XLA_TOOLS_BENCHMARK_BENCHMARK_H_
