// Parts of the element-wise rules that chlo's versions of the same ops share.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_ELEMENTWISE_H_
#define XLA_STABLEHLO_TO_HLO_OPS_ELEMENTWISE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Converts an op of one operand with result_accuracy.
absl::Status EmitFunction(OpConversion& conversion, HloOpcode opcode);

// Reads comparison_direction and compare_type; omits the type if it is the
// default of the operands. Errors: InvalidArgument for other values, or without
// operands.
absl::StatusOr<CompareAttrs> CompareAttrsOf(OpConversion& conversion);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_ELEMENTWISE_H_
