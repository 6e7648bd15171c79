// Tells from the rows of ops which ones move elements.
#include "xla/hlo/ops/movement/movement.h"

#include "xla/hlo/ops/op_def.h"

namespace xla {

bool MovesElements(HloOpcode opcode) {
  return opcode == HloOpcode::kIota ||
         (GetOpDef(opcode).moves && opcode != HloOpcode::kBitcast);
}

}  // namespace xla
