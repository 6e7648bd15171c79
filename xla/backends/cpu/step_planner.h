// StepPlanner: which steps a scheduled module becomes, and which instructions
// share a native function.
#ifndef XLA_BACKENDS_CPU_STEP_PLANNER_H_
#define XLA_BACKENDS_CPU_STEP_PLANNER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

struct PlannedKernel {
  KernelSpec spec;
  int64_t items = 1;
  int64_t items_per_task = 1;
};

// A step before there is code. Labels are numbers of `label` entries.
struct PlannedStep {
  enum class Kind {
    kKernel,       // kernels[index]
    kLibrary,      // `instruction`
    kCopy,         // `instruction`, a large copy
    kCopies,       // copies[index], small ones
    kLabel,        // `index`
    kJump,         // to label `index`
    kJumpIfFalse,  // to label `index` by the predicate `instruction`
    kSwitch,       // by the operand 0 of `instruction`, to `targets`
  };
  Kind kind;
  const HloInstruction* instruction = nullptr;
  int64_t index = -1;
  std::vector<int64_t> targets;
  // Of a library step: it runs before instructions that are scheduled before
  // it.
  bool early = false;
};

struct StepPlan {
  // Those of kKernel steps, and of the rows of library steps (NativeRowsOf).
  std::vector<PlannedKernel> kernels;
  std::vector<PlannedStep> steps;
  std::vector<std::vector<const HloInstruction*>> copies;
  int64_t labels = 0;
};

// Consecutive instructions whose work is small, with while loops and
// conditionals whose bodies are, run in one function, where small arrays live
// on the stack (local_buffers.h); others are a step each, split into tasks if
// that pays, and go before small ones that they have nothing to do with.
// Depends on the module and the target alone. Errors: Unimplemented naming an
// instruction that nothing can run.
absl::StatusOr<StepPlan> PlanSteps(const HloModule& module,
                                   const BufferAssignment& assignment,
                                   const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_STEP_PLANNER_H_
