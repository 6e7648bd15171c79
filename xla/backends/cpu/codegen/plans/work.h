// How an instruction's native code is split into workgroups that may run at the
// same time: known from shapes, before any code is made.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_WORK_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_WORK_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// What kind of code computes an instruction.
enum class CodeFamily {
  kNone,           // no native code: a library call, control flow, an alias
  kLoop,           // each element on its own
  kReduction,      // the roots are reductions
  kUpdateInPlace,  // a dynamic-update-slice into its operand's memory
  kScatter,
  kScan,  // a reduce-window that is a linear scan
};

CodeFamily CodeFamilyOf(const HloInstruction& instruction);

struct Work {
  // The code works on any range of workgroups [begin, end) within [0,
  // workgroups); each writes memory of its own. Depends on shapes and target
  // alone.
  int64_t workgroups = 1;
  // Of one workgroup on one thread, as the cost model predicts.
  double nanoseconds_per_workgroup = 0;

  double nanoseconds() const { return nanoseconds_per_workgroup * workgroups; }
};

Work WorkOf(const HloInstruction& instruction, const TargetInfo& target);

// What a loop computes or reads. Of what lies in memory the shape alone
// matters, not which op left it there.
struct LoopValue {
  const HloInstruction* hlo;
  bool in_memory = false;
};

// The op itself and its operands, or what is in the fusion.
std::vector<LoopValue> ValuesOf(const HloInstruction& instruction);

// The shape of all outputs, if they have the same dimensions; else null.
const Shape* LoopShape(const HloInstruction& instruction);

// A dot, or a fusion of one, that is done sooner than a library call is made.
bool IsSmallDot(const HloInstruction& instruction);

// Loops and conditionals, whose code is that of other computations.
bool HasBodies(const HloInstruction& instruction);

// Ops without work: they only name memory that is there.
bool IsMemoryName(HloOpcode opcode);

// Ops that cost far more than an addition.
bool IsCostly(HloOpcode opcode);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_WORK_H_
