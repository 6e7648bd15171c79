// Kernels of convolution.
#ifndef XLA_HLO_EVALUATOR_LINEAR_CONVOLUTION_H_
#define XLA_HLO_EVALUATOR_LINEAR_CONVOLUTION_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// For each output position, multiplies the input's window, as a row of a
// matrix, by the kernel. Sums in the type of ProductType (linear/matrix.h) and
// rounds to the result's type once. With batch groups, group j of the output
// features sees part j of the batch. Elements beyond the sizes of dynamic
// dimensions count as 0, and the number of outputs follows from the dynamic
// sizes. Errors: those of CheckDynamicGroups.
absl::StatusOr<Literal> EvaluateConvolution(const HloInstruction& hlo,
                                            Operands operands);

// Evaluates a checked custom call of hlo/ops/linear/dynamic_convolution.h.
absl::StatusOr<Literal> EvaluateDynamicConvolution(const HloInstruction& hlo,
                                                   Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_CONVOLUTION_H_
