// Which ops move elements, by what their rows say.
#include "xla/hlo/ops/movement/movement.h"

#include "xla/hlo/ops/op_def.h"

namespace xla {

bool MovesElements(HloOpcode opcode) {
  if (GetOpDef(opcode).cost_class != CostClass::kMovement) return false;
  switch (opcode) {
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kCopy:
    case HloOpcode::kCopyDone:
    case HloOpcode::kCopyStart:
    case HloOpcode::kDynamicReshape:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kSetDimensionSize:
      return false;
    default:
      return true;
  }
}

}  // namespace xla
