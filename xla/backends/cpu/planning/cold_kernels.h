// FindColdKernels: which kernels run for so short a time that optimising them
// does not pay.
#ifndef XLA_BACKENDS_CPU_PLANNING_COLD_KERNELS_H_
#define XLA_BACKENDS_CPU_PLANNING_COLD_KERNELS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"

namespace xla::cpu {

// KernelSpec::is_cold of each kernel: of the shortest functions, as many as
// together take a negligible part of a run. What a loop between thunks calls,
// or what takes unknown time, is not among them. `functions` is what
// FindSharedFunctions gives.
std::vector<bool> FindColdKernels(const RunCosts& costs,
                                  absl::Span<const KernelRequest> requests,
                                  absl::Span<const int64_t> functions);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_COLD_KERNELS_H_
