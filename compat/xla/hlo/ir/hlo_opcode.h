// hlo_opcode: XLA's header, with the context in which each op calls.
#ifndef COMPAT_XLA_HLO_IR_HLO_OPCODE_H_
#define COMPAT_XLA_HLO_IR_HLO_OPCODE_H_

#include <optional>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "xla/hlo/ops/hlo_opcode.h"  // IWYU pragma: export
#include "xla/hlo/ops/op_def.h"

namespace xla {

// How often a computation is called: for the elements of a value, once each
// time, in both ways, or not at all.
enum class CallContext { kEmbedded, kControlFlow, kBoth, kNone };

inline CallContext GetInstructionCallContext(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
    case HloOpcode::kWhile:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return CallContext::kControlFlow;
    default:
      return GetOpDef(opcode).computations.size() > 0 ? CallContext::kEmbedded
                                                      : CallContext::kNone;
  }
}

inline std::string CallContextToString(CallContext context) {
  switch (context) {
    case CallContext::kEmbedded:
      return "kEmbedded";
    case CallContext::kControlFlow:
      return "kControlFlow";
    case CallContext::kBoth:
      return "kBoth";
    case CallContext::kNone:
      return "kNone";
  }
  return "";
}
inline std::ostream& operator<<(std::ostream& out, CallContext context) {
  return out << CallContextToString(context);
}

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
