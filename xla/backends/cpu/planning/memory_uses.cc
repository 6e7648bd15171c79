// Walks over instructions and the computations that they call.
#include "xla/backends/cpu/planning/memory_uses.h"

#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {

void ForEachOwnUse(const BufferAssignment& assignment,
                   const HloInstruction& instruction, int loops,
                   absl::FunctionRef<void(const MemoryUse&)> f) {
  auto use = [&](const HloInstruction* value, bool written, int64_t first = 0) {
    const int64_t leaves = LeafCount(value->shape());
    for (int64_t leaf = first; leaf < leaves; ++leaf) {
      f({value, leaf, assignment.buffer_id(value, leaf), written, loops});
    }
  };
  switch (instruction.opcode()) {
    case HloOpcode::kWhile:
      use(instruction.while_condition()->root_instruction(), false);
      return;
    case HloOpcode::kConditional:
      use(instruction.operand(0), false);
      return;
    case HloOpcode::kAsyncStart:
      use(&instruction, true, LeafCount(instruction.shape().tuple_shapes(0)));
      break;
    case HloOpcode::kAsyncDone:
      break;
    default:
      use(&instruction, true);
  }
  for (const HloInstruction* operand : instruction.operands()) {
    use(operand, false);
  }
}

void ForEachUse(const BufferAssignment& assignment,
                const HloInstruction& instruction, int loops,
                absl::FunctionRef<void(const MemoryUse&)> f) {
  if (IsMemoryName(instruction.opcode())) return;
  ForEachOwnUse(assignment, instruction, loops, f);
  if (!HasBodies(instruction)) return;
  if (instruction.opcode() == HloOpcode::kWhile) ++loops;
  for (const HloComputation* body : instruction.called_computations()) {
    for (const auto& inner : body->instructions()) {
      ForEachUse(assignment, *inner, loops, f);
    }
  }
}

}  // namespace xla::cpu
