// ShareFunctions: kernels that do the same with other arrays run one function.
#ifndef XLA_BACKENDS_CPU_PLANNING_SHARED_FUNCTIONS_H_
#define XLA_BACKENDS_CPU_PLANNING_SHARED_FUNCTIONS_H_

#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Finds kernels of one instruction each, a fusion, a transpose or elementwise,
// that are equal in computation, shapes and attributes, and whose arrays share
// memory in the same places and have the same alignment. Fills in
// KernelSpec::own_arrays and KernelSpec::function_of.
void ShareFunctions(const HloModule& module, const BufferAssignment& assignment,
                    absl::Span<PlannedKernel> kernels);

// What such a function gets (KernelSpec::own_arrays).
std::vector<BufferSlice> OwnArrays(const BufferAssignment& assignment,
                                   const HloInstruction& instruction);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_SHARED_FUNCTIONS_H_
