// Callers and readers.
#include "xla/hlo/transforms/loops/loop_carry.h"

#include <algorithm>

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

void MakeOwnComputations(HloInstruction* loop) {
  for (int i = 0; i < 2; ++i) {
    HloComputation* callee = loop->called_computations()[i];
    const bool twice = loop->called_computations()[1 - i] == callee;
    if (callee->caller_instructions().size() <= 1 && !twice) continue;
    loop->set_called_computation(
        i, callee->CloneInto(loop->GetModule(), callee->name()));
  }
}

bool IsReadByElement(const HloInstruction& value) {
  return std::all_of(value.users().begin(), value.users().end(),
                     [](const HloInstruction* user) {
                       return user->opcode() == HloOpcode::kGetTupleElement;
                     });
}

}  // namespace xla
