// The frontend attributes of a composite call: a call that stands for an op of
// another language, which its computation is made of.
#ifndef XLA_HLO_IR_INSTRUCTION_COMPOSITE_CALL_H_
#define XLA_HLO_IR_INSTRUCTION_COMPOSITE_CALL_H_

#include "absl/status/status.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

inline constexpr char kCompositeName[] = "composite.name";
inline constexpr char kCompositeAttributes[] = "composite.attributes";
inline constexpr char kCompositeVersion[] = "composite.version";

// Errors: rules composite_call_c1 to composite_call_c3.
absl::Status CheckCompositeCall(const FrontendAttributes& attributes);

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_COMPOSITE_CALL_H_
