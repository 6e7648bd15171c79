// The order in which propagation goes through instructions, and what a while
// loop leaves alone. Where several shardings are possible, the first one wins.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_PROGRAM_ORDER_H_
#define XLA_HLO_TRANSFORMS_SHARDING_PROGRAM_ORDER_H_

#include <cstdint>
#include <vector>

#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

// Returns the instructions depth first from those without users: operands
// before users, first operands first. So XLA writes modules for Shardy.
std::vector<HloInstruction*> DepthFirstOrder(const HloComputation& computation);

// Whether the body of a while loop returns element `element` of its carry as it
// gets it. Frameworks' loops capture such values instead, so that they are the
// value outside everywhere.
bool IsCarriedUnchanged(const HloInstruction& loop, int64_t element);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_PROGRAM_ORDER_H_
