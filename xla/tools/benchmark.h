// Times a program: how long it takes to compile and to run, and what that is
// of the machine's limits.
#ifndef XLA_TOOLS_BENCHMARK_H_
#define XLA_TOOLS_BENCHMARK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/compiler.h"
#include "xla/backends/program_cost.h"
#include "xla/core/literal/literal.h"
#include "xla/tools/machine_limits.h"

namespace xla::tools {

// Seconds of one run; quartiles over samples, each the mean of some runs so
// that short ones are not lost in the clock.
struct RunTimes {
  double median = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
  double least = 0;
  int64_t samples = 0;
  int64_t runs_per_sample = 1;
};

struct Benchmark {
  std::string program;
  std::string backend;
  int threads = 0;
  double first_compile_seconds = 0;  // with what happens once in a process
  double compile_seconds = 0;        // of a later one
  CompileReport compile;             // of that one, or empty
  RunTimes run;
  ProgramCost cost;     // of one run on one device
  bool is_f64 = false;  // which of the limits for arithmetic holds
  Executable::MemoryStats memory;
  MachineLimits limits;
};

// Runs until there are `samples` of them or, if that is 0, `seconds` have gone
// by. Errors: those of the run.
absl::StatusOr<RunTimes> TimeRuns(
    const Executable& executable,
    absl::Span<const std::vector<Literal>> arguments, int64_t samples,
    double seconds);

std::string BenchmarkTable(const Benchmark& benchmark);
// One object; numbers are in seconds, bytes, operations and their quotients.
std::string BenchmarkJson(const Benchmark& benchmark);

}  // namespace xla::tools

#endif  // XLA_TOOLS_BENCHMARK_H_
