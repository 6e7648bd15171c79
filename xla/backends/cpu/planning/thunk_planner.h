// ThunkPlanner decides which thunks a scheduled module becomes, and which
// instructions share a native function.
#ifndef XLA_BACKENDS_CPU_PLANNING_THUNK_PLANNER_H_
#define XLA_BACKENDS_CPU_PLANNING_THUNK_PLANNER_H_

#include "absl/status/statusor.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Consecutive instructions with little work, including while loops and
// conditionals with small bodies, run in one function, where small arrays live
// on the stack (local_buffers.h). Each other instruction is a thunk of its own,
// split into tasks if that pays, and goes before small ones with which it does
// not conflict. The plan depends only on the module and the target; `costs` are
// those of FindRunCosts for the two. Errors: Unimplemented naming an
// instruction that nothing can run.
absl::StatusOr<ThunkPlan> PlanThunks(const HloModule& module,
                                     const BufferAssignment& assignment,
                                     const RunCosts& costs,
                                     const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_THUNK_PLANNER_H_
