// Rules for ops of shardings where arrays keep the sizes that they have in the
// program (conversion/global_sharding.h).
#ifndef XLA_STABLEHLO_TO_HLO_DEVICES_GLOBAL_SHARDING_RULES_H_
#define XLA_STABLEHLO_TO_HLO_DEVICES_GLOBAL_SHARDING_RULES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

absl::Status ConvertGlobalConstraint(const Attribute& sharding,
                                     OpConversion& conversion);
absl::Status ConvertGlobalGroup(int64_t id, OpConversion& conversion);
// Returns the number of NONE, FORWARD, BACKWARD or BOTH, given as number or
// name; -1 for others.
int64_t BarrierDirection(const Attribute& direction);
absl::Status ConvertGlobalBarrier(int64_t direction, OpConversion& conversion);
absl::Status ConvertGlobalManualComputation(OpConversion& conversion);

// Converts the custom_calls into which Shardy's round trip turns its ops
// ("xla.sdy.ShardingGroup", ...).
bool IsRoundTripTarget(absl::string_view target);
absl::Status ConvertRoundTripTarget(absl::string_view target,
                                    OpConversion& conversion);
// Converts the call of a manual computation's body. Its operands and results
// have the sizes that they have outside: the custom_calls around it are
// identities here.
bool IsRoundTripManualBody(absl::string_view function);
absl::Status ConvertRoundTripManualBody(absl::string_view function,
                                        OpConversion& conversion);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_DEVICES_GLOBAL_SHARDING_RULES_H_
