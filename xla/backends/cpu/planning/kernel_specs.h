// MakeKernels makes the complete specifications of a program's kernels.
#ifndef XLA_BACKENDS_CPU_PLANNING_KERNEL_SPECS_H_
#define XLA_BACKENDS_CPU_PLANNING_KERNEL_SPECS_H_

#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Returns a kernel for each request, in their order. Computes once what is on
// the stack of a sequence (local_buffers.h), which arrays a kernel is called
// with (kernel_frames.h), which kernels share a function (shared_functions.h)
// and which are not worth optimising (cold_kernels.h). `thunks` are all thunks
// of the plan.
std::vector<PlannedKernel> MakeKernels(const HloModule& module,
                                       const BufferAssignment& assignment,
                                       const RunCosts& costs,
                                       absl::Span<const PlannedThunk> thunks,
                                       std::vector<KernelRequest> requests);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_KERNEL_SPECS_H_
