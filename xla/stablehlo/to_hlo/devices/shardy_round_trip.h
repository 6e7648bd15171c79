// Shardy's round trip: the form that ops and attributes of sdy have in programs
// that went through HLO.
#ifndef XLA_STABLEHLO_TO_HLO_DEVICES_SHARDY_ROUND_TRIP_H_
#define XLA_STABLEHLO_TO_HLO_DEVICES_SHARDY_ROUND_TRIP_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Converts the custom_calls into which the round trip turns ops of sdy
// ("xla.sdy.ShardingGroup", ...), in a program of several partitions.
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

#endif  // XLA_STABLEHLO_TO_HLO_DEVICES_SHARDY_ROUND_TRIP_H_
