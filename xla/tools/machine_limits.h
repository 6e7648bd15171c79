// What this machine can do at most: the ends of the scale on which `tessera
// bench` puts a program.
#ifndef XLA_TOOLS_MACHINE_LIMITS_H_
#define XLA_TOOLS_MACHINE_LIMITS_H_

#include "absl/status/statusor.h"
#include "xla/runtime/parallel.h"

namespace xla::tools {

struct MachineLimits {
  // Of a[i] = b[i] + s * c[i] on arrays well above the caches, 24 bytes an
  // element; the better of ordinary and streaming stores.
  double stream_bytes_per_second = 0;
  // Of chains of multiply-adds in the widest vectors, two operations each.
  double f32_flops_per_second = 0;
  double f64_flops_per_second = 0;
};

// On all threads of `runner`; takes about a second, most of it for touching
// memory first. Errors: ResourceExhausted without memory for the arrays.
absl::StatusOr<MachineLimits> MeasureMachineLimits(ParallelRunner& runner);

}  // namespace xla::tools

#endif  // XLA_TOOLS_MACHINE_LIMITS_H_
