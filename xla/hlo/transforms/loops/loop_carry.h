// Helpers of passes that change what a while loop carries.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_
#define XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Gives the loop copies of its condition and body where others call them too.
void MakeOwnComputations(HloInstruction* loop);

// Whether all users of the tuple `value` take one element of it.
bool IsReadByElement(const HloInstruction& value);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_
