// StepPlan: the steps of a program and the native functions that they run,
// before there is code. PlanSteps makes it (step_planner.h).
#ifndef XLA_BACKENDS_CPU_PLANNING_STEP_PLAN_H_
#define XLA_BACKENDS_CPU_PLANNING_STEP_PLAN_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/hlo/ir/hlo_instruction.h"

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

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_STEP_PLAN_H_
