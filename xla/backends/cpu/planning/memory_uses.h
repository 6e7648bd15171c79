// Finds the arrays in memory that an instruction reads and writes.
#ifndef XLA_BACKENDS_CPU_PLANNING_MEMORY_USES_H_
#define XLA_BACKENDS_CPU_PLANNING_MEMORY_USES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// A read or write of leaf `leaf` of `value` by an instruction.
struct MemoryUse {
  const HloInstruction* value;
  int64_t leaf;
  int64_t buffer;  // BufferAssignment::buffer_id; negative without memory
  bool written;
  int loops;  // how many while loops that run with it are around it
};

// Calls `f` for what `instruction` itself reads and writes, without the
// computations that it calls: for loops and conditionals, that is only the
// predicate or branch number, since the called computations read the other
// operands, or do not.
void ForEachOwnUse(const BufferAssignment& assignment,
                   const HloInstruction& instruction, int loops,
                   absl::FunctionRef<void(const MemoryUse&)> f);

// Does so for the computations of loops and conditionals too; `instruction` is
// inside of `loops` loops. Does nothing for instructions that only name memory.
void ForEachUse(const BufferAssignment& assignment,
                const HloInstruction& instruction, int loops,
                absl::FunctionRef<void(const MemoryUse&)> f);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_MEMORY_USES_H_
