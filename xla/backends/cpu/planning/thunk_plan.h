// ThunkPlan: the thunks of a program and the native functions that they run,
// before there is code. PlanThunks makes it (thunk_planner.h).
#ifndef XLA_BACKENDS_CPU_PLANNING_THUNK_PLAN_H_
#define XLA_BACKENDS_CPU_PLANNING_THUNK_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// A request for a native function, made while thunks are planned.
struct KernelRequest {
  std::string name;
  // These are as in KernelSpec.
  std::vector<const HloInstruction*> instructions;
  const HloComputation* mapped = nullptr;
  // If not negative, the arrays of the kernel's one instruction are not values
  // of the program, and its result is written over this operand or to an array
  // of its own (NativeKernel::block).
  int64_t block = -1;
  // As in NativeKernel.
  bool column_range = false;
  // As in KernelSpec.
  int64_t row_columns = 0;
  int64_t workgroups = 1;
  int64_t workgroups_per_task = 1;
  bool joins_workgroups = false;  // as in KernelThunk
  // The number of the kKernel thunk that runs it; -1 for a kernel that a
  // library thunk calls any number of times.
  int64_t thunk = -1;
};

struct PlannedKernel {
  KernelSpec spec;
  int64_t workgroups = 1;
  int64_t workgroups_per_task = 1;
  bool joins_workgroups = false;
};

// A planned thunk. Labels are the numbers of `label` entries.
struct PlannedThunk {
  enum class Kind {
    kKernel,   // kernels[index]
    kLibrary,  // `instruction`, which calls kernels[index] and those after it
               // if that is not -1 (NativeKernelsOf)
    kPack,     // `instruction`, for packs[index] in the loop that follows
    kCopy,     // `instruction`, a large copy
    kCopies,   // copies[index], small ones
    kLabel,    // `index`
    kJump,     // to label `index`
    kJumpIfFalse,  // to label `index` by the predicate `instruction`
    kSwitch,       // by the operand 0 of `instruction`, to `targets`
  };
  Kind kind;
  const HloInstruction* instruction = nullptr;
  int64_t index = -1;
  std::vector<int64_t> targets;
  // Whether a library thunk runs before instructions that are scheduled before
  // it.
  bool early = false;
};

struct ThunkPlan {
  // The kernels of kKernel thunks and those that library thunks call
  // (NativeKernelsOf).
  std::vector<PlannedKernel> kernels;
  std::vector<PlannedThunk> thunks;
  std::vector<std::vector<const HloInstruction*>> copies;
  // The products that use an operand packed.
  std::vector<std::vector<const HloInstruction*>> packs;
  int64_t labels = 0;
};

// Returns the instructions that a thunk of `plan` computes; none for jumps,
// labels and packs.
inline std::vector<const HloInstruction*> InstructionsOf(
    const ThunkPlan& plan, const PlannedThunk& thunk) {
  switch (thunk.kind) {
    case PlannedThunk::Kind::kKernel:
      return plan.kernels[thunk.index].spec.instructions;
    case PlannedThunk::Kind::kLibrary:
    case PlannedThunk::Kind::kCopy:
      return {thunk.instruction};
    case PlannedThunk::Kind::kCopies:
      return plan.copies[thunk.index];
    case PlannedThunk::Kind::kPack:
    case PlannedThunk::Kind::kLabel:
    case PlannedThunk::Kind::kJump:
    case PlannedThunk::Kind::kJumpIfFalse:
    case PlannedThunk::Kind::kSwitch:
      return {};
  }
  return {};
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_THUNK_PLAN_H_
