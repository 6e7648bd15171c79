// ThunkPlanner: which thunks a scheduled module becomes, and which instructions
// share a native function.
#ifndef XLA_BACKENDS_CPU_PLANNING_THUNK_PLANNER_H_
#define XLA_BACKENDS_CPU_PLANNING_THUNK_PLANNER_H_

#include "absl/status/statusor.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Consecutive instructions whose work is small, with while loops and
// conditionals whose bodies are, run in one function, where small arrays live
// on the stack (local_buffers.h); others are a thunk each, split into tasks if
// that pays, and go before small ones that they have nothing to do with.
// Depends on the module and the target alone; `costs` are those of FindRunCosts
// for the two. Errors: Unimplemented naming an
// instruction that nothing can run.
absl::StatusOr<ThunkPlan> PlanThunks(const HloModule& module,
                                     const BufferAssignment& assignment,
                                     const RunCosts& costs,
                                     const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_THUNK_PLANNER_H_
