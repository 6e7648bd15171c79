// FindColdKernels finds the kernels that run for so short a time that
// optimising them does not pay.
#ifndef XLA_BACKENDS_CPU_PLANNING_COLD_KERNELS_H_
#define XLA_BACKENDS_CPU_PLANNING_COLD_KERNELS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"

namespace xla::cpu {

// Returns KernelSpec::is_cold of each kernel: it is true for the shortest
// functions that together take a negligible part of a run. Kernels in a loop of
// thunks and kernels of unknown time are never cold. `functions` is the result
// of FindSharedFunctions.
std::vector<bool> FindColdKernels(const RunCosts& costs,
                                  absl::Span<const KernelRequest> requests,
                                  absl::Span<const int64_t> functions);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_COLD_KERNELS_H_
