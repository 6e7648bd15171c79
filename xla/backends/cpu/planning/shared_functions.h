// FindSharedFunctions finds kernels that do the same with other arrays and can
// share one function.
#ifndef XLA_BACKENDS_CPU_PLANNING_SHARED_FUNCTIONS_H_
#define XLA_BACKENDS_CPU_PLANNING_SHARED_FUNCTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/kernel_frame.h"
#include "xla/backends/cpu/planning/thunk_plan.h"

namespace xla::cpu {

// Returns KernelSpec::function_of of each kernel: the first kernel with an
// equal computation, shapes and attributes, whose frame has the same facts.
// Considers kernels of one instruction (a fusion, a transpose or an
// element-wise op) and mapped computations. `frames` are those of the requests.
std::vector<int64_t> FindSharedFunctions(
    absl::Span<const KernelRequest> requests,
    absl::Span<const KernelFrame> frames);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_SHARED_FUNCTIONS_H_
