// Rules written with XlaBuilder, for ops that are formulas which the builder's
// libraries already implement.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_BUILT_H_
#define XLA_STABLEHLO_TO_HLO_OPS_BUILT_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

using BuiltFunction = absl::FunctionRef<XlaOp(absl::Span<const XlaOp>)>;

// Returns what `function` makes of `operands`, as instructions of the current
// computation. Errors: those of the builder, with the op's place.
absl::StatusOr<HloInstruction*> Build(
    OpConversion& conversion, absl::Span<HloInstruction* const> operands,
    BuiltFunction function);

// Like Build, for the whole op.
absl::Status EmitBuilt(OpConversion& conversion, BuiltFunction function);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_BUILT_H_
