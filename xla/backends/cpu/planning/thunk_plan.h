// ThunkPlan: the thunks of a program and the native functions that they run,
// before there is code. PlanThunks makes it (thunk_planner.h).
#ifndef XLA_BACKENDS_CPU_PLANNING_THUNK_PLAN_H_
#define XLA_BACKENDS_CPU_PLANNING_THUNK_PLAN_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

struct PlannedKernel {
  KernelSpec spec;
  int64_t workgroups = 1;
  int64_t workgroups_per_task = 1;
};

// A thunk before there is code. Labels are numbers of `label` entries.
struct PlannedThunk {
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
  // Of a library thunk: it runs before instructions that are scheduled before
  // it.
  bool early = false;
};

struct ThunkPlan {
  // Those of kKernel thunks, and of the rows of library thunks (NativeRowsOf).
  std::vector<PlannedKernel> kernels;
  std::vector<PlannedThunk> thunks;
  std::vector<std::vector<const HloInstruction*>> copies;
  int64_t labels = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_THUNK_PLAN_H_
