// Kernels of convolution.
#ifndef XLA_HLO_EVALUATOR_LINEAR_CONVOLUTION_H_
#define XLA_HLO_EVALUATOR_LINEAR_CONVOLUTION_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// For each output position, the window of the input as a row of a matrix times
// the kernel. Sums in the type of ProductType (linear/matrix.h), rounded to the
// result's type once. With batch groups, group j of the output features sees
// part j of the batch. Elements beyond the sizes of dynamic dimensions count as
// 0, and there are as many outputs as there would be without them. Errors:
// those of CheckDynamicGroups.
absl::StatusOr<Literal> EvaluateConvolution(const HloInstruction& hlo,
                                            Operands operands);

// A custom call of hlo/ops/linear/dynamic_convolution.h that has been checked.
absl::StatusOr<Literal> EvaluateDynamicConvolution(const HloInstruction& hlo,
                                                   Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_CONVOLUTION_H_
