// hlo_opcode: XLA's header, with the context in which each op calls.
#ifndef COMPAT_XLA_HLO_IR_HLO_OPCODE_H_
#define COMPAT_XLA_HLO_IR_HLO_OPCODE_H_

#include <optional>

#include "xla/hlo/ir/module/call_context.h"  // IWYU pragma: export
#include "xla/hlo/ops/hlo_opcode.h"          // IWYU pragma: export
#include "xla/hlo/ops/op_def.h"

namespace xla {

// The number of operands that an op takes; nullopt if it is not fixed.
inline std::optional<int> HloOpcodeArity(HloOpcode opcode) {
  const NameList& operands = GetOpDef(opcode).operands;
  if (operands.min_count() != operands.max_count()) return std::nullopt;
  return operands.min_count();
}
inline bool HloOpcodeIsVariadic(HloOpcode opcode) {
  return !HloOpcodeArity(opcode).has_value();
}
inline bool HloOpcodeIsComparison(HloOpcode opcode) {
  return opcode == HloOpcode::kCompare;
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_HLO_OPCODE_H_
