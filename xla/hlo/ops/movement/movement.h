// Tells which ops move elements.
#ifndef XLA_HLO_OPS_MOVEMENT_MOVEMENT_H_
#define XLA_HLO_OPS_MOVEMENT_MOVEMENT_H_

#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

// Whether the result consists of elements of the operands at other indices, or
// of indices alone: broadcast, slices, pad, gather, iota and so on. Copies and
// bitcasts, which concern memory, do not count, nor do ops that read or depend
// on sizes at run time.
bool MovesElements(HloOpcode opcode);

}  // namespace xla

#endif  // XLA_HLO_OPS_MOVEMENT_MOVEMENT_H_
