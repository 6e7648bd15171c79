// Which arrays in memory an instruction reads and writes.
#ifndef XLA_BACKENDS_CPU_PLANNING_MEMORY_USES_H_
#define XLA_BACKENDS_CPU_PLANNING_MEMORY_USES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Leaf `leaf` of `value`, which an instruction reads or writes.
struct MemoryUse {
  const HloInstruction* value;
  int64_t leaf;
  int64_t buffer;  // BufferAssignment::buffer_id; negative without memory
  bool written;
  int loops;  // how many while loops that run with it are around it
};

// Calls `f` for what `instruction` reads and writes, apart from what it calls:
// of loops and conditionals what decides, as all else that they are given is
// read, or is not, by what they call.
void ForEachOwnUse(const BufferAssignment& assignment,
                   const HloInstruction& instruction, int loops,
                   absl::FunctionRef<void(const MemoryUse&)> f);

// The same with what loops and conditionals call; `instruction` is inside of
// `loops` loops. Calls nothing for instructions that only name memory.
void ForEachUse(const BufferAssignment& assignment,
                const HloInstruction& instruction, int loops,
                absl::FunctionRef<void(const MemoryUse&)> f);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_MEMORY_USES_H_
