// Precision of products: precision_config and the algorithm of dot_general.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_PRECISION_H_
#define XLA_STABLEHLO_TO_HLO_OPS_PRECISION_H_

#include "absl/status/statusor.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Returns an empty config if the attributes ask for the default. Errors:
// InvalidArgument for unknown enumerators; Unimplemented for algorithms that
// HLO has no name for.
absl::StatusOr<PrecisionConfig> PrecisionOf(OpConversion& conversion);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_PRECISION_H_
