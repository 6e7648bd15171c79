// Right operands of products in loops that are the same in every iteration, so
// that they can be packed before the loop.
#ifndef XLA_BACKENDS_CPU_PLANNING_LOOP_OPERANDS_H_
#define XLA_BACKENDS_CPU_PLANNING_LOOP_OPERANDS_H_

#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

struct LoopOperand {
  // An element of the loop's initial carry.
  const HloInstruction* value;
  // The products whose right operand it is, perhaps under another shape: dots,
  // or fusions of one with what follows it, in the body of the loop or of a
  // loop inside it.
  std::vector<const HloInstruction*> products;
};

// Returns the right operands that do not change while `loop`, a while, runs, in
// the order of their first products. A loop that is known to run less than
// three times has none: packing ahead must pay for one more pass over memory.
std::vector<LoopOperand> InvariantRightOperands(const HloInstruction& loop);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_LOOP_OPERANDS_H_
