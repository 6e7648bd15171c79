// CallContext: how an op calls its computations.
#ifndef XLA_HLO_IR_MODULE_CALL_CONTEXT_H_
#define XLA_HLO_IR_MODULE_CALL_CONTEXT_H_

#include <ostream>
#include <string>

#include "xla/hlo/ops/hlo_opcode.h"
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

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_CALL_CONTEXT_H_
