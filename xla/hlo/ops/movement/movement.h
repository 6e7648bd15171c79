// Which ops move elements from one place to another.
#ifndef XLA_HLO_OPS_MOVEMENT_MOVEMENT_H_
#define XLA_HLO_OPS_MOVEMENT_MOVEMENT_H_

#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

// Whether the arrays that the op gives consist of elements of its operands, in
// other places: broadcast, slices, pad, gather and so on. So do scatter, which
// may combine elements, sort, which compares them, and iota, which has none.
// Copies and bitcasts, about memory rather than values, do not count.
bool MovesElements(HloOpcode opcode);

}  // namespace xla

#endif  // XLA_HLO_OPS_MOVEMENT_MOVEMENT_H_
