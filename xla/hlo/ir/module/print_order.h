// The orders in which XLA prints instructions and computations.
#ifndef XLA_HLO_IR_MODULE_PRINT_ORDER_H_
#define XLA_HLO_IR_MODULE_PRINT_ORDER_H_

#include <vector>

namespace xla {

class HloComputation;
class HloInstruction;
class HloModule;

// Returns what nothing uses in the order of the list, each after its control
// predecessors, the last one first, and its operands; all of the list as it is
// if the module is scheduled.
std::vector<const HloInstruction*> PrintOrder(
    const HloComputation& computation);

// Returns what nothing calls in the order of the module, each after its callees
// in the order of its list, the body of a while before its condition. Where XLA
// prints a computation before one that it calls, which no parser reads, the
// callee comes first.
std::vector<const HloComputation*> PrintOrder(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_PRINT_ORDER_H_
