// How an instruction's native code is split into workgroups that may run at the
// same time. Shapes decide it, before any code is made.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_WORK_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_WORK_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// The kind of code that computes an instruction.
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
  // workgroups); each writes memory of its own. Depends only on shapes and the
  // target.
  int64_t workgroups = 1;
  // The time of one workgroup on one thread, as the cost model predicts.
  double nanoseconds_per_workgroup = 0;

  double nanoseconds() const { return nanoseconds_per_workgroup * workgroups; }
};

Work WorkOf(const HloInstruction& instruction, const TargetInfo& target);
// The same where the time of the code on one thread is known.
Work WorkOf(const HloInstruction& instruction, const TargetInfo& target,
            double nanoseconds);

// A value that a loop computes or reads. Of values in memory only the shape
// matters, not the op that made them.
struct LoopValue {
  const HloInstruction* hlo;
  bool in_memory = false;
};

// Returns the op itself and its operands, or the instructions of the fusion.
std::vector<LoopValue> ValuesOf(const HloInstruction& instruction);

// Returns the shape of all outputs if they have the same dimensions, else null.
const Shape* LoopShape(const HloInstruction& instruction);

// Returns the number of products that each element of a dot sums.
int64_t ContractedElements(const HloInstruction& dot);

// Whether the instruction is a dot that takes less time than a library call, or
// whose right operand is so small that packing takes the library longer.
bool IsSmallDot(const HloInstruction& instruction);

// Whether the instruction is a loop or conditional, whose code is that of other
// computations.
bool HasBodies(const HloInstruction& instruction);

// Whether the op does no work and only names existing memory.
bool IsMemoryName(HloOpcode opcode);

// Whether the op costs far more than an addition.
bool IsCostly(HloOpcode opcode);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_WORK_H_
