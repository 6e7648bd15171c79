// The upper limits of this machine, with which `tessera bench` compares a
// program.
#ifndef XLA_TOOLS_BENCHMARK_MACHINE_LIMITS_H_
#define XLA_TOOLS_BENCHMARK_MACHINE_LIMITS_H_

#include "absl/status/statusor.h"
#include "xla/runtime/parallel.h"

namespace xla::tools {

struct MachineLimits {
  // The bandwidth of a[i] = b[i] + s * c[i] on arrays much larger than the
  // caches, at 24 bytes per element; the better of ordinary and streaming
  // stores.
  double stream_bytes_per_second = 0;
  // The rate of multiply-adds in the widest vectors, each of them counted as
  // two operations.
  double f32_flops_per_second = 0;
  double f64_flops_per_second = 0;
};

// Uses all threads of `runner`; takes about a second, most of it to touch
// memory first. Errors: ResourceExhausted if there is no memory for the arrays.
absl::StatusOr<MachineLimits> MeasureMachineLimits(ParallelRunner& runner);

}  // namespace xla::tools

#endif  // XLA_TOOLS_BENCHMARK_MACHINE_LIMITS_H_
