// Parts of the rules of slices and paddings that their dynamic forms share.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_MOVEMENT_H_
#define XLA_STABLEHLO_TO_HLO_OPS_MOVEMENT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Convert the whole op to a slice of operand 0, or to operand 0 padded with
// operand 1. Errors: InvalidArgument for lists of different lengths.
absl::Status EmitSlice(OpConversion& conversion,
                       absl::Span<const int64_t> starts,
                       absl::Span<const int64_t> limits,
                       absl::Span<const int64_t> strides);
absl::Status EmitPad(OpConversion& conversion, absl::Span<const int64_t> low,
                     absl::Span<const int64_t> high,
                     absl::Span<const int64_t> interior);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_MOVEMENT_H_
