// Kernels of dot, ragged-dot and scaled-dot.
#ifndef XLA_HLO_EVALUATOR_LINEAR_CONTRACTION_H_
#define XLA_HLO_EVALUATOR_LINEAR_CONTRACTION_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Packs the operands, [b,m,k] x [b,k,n], sums in the type of ProductType
// (linear/matrix.h), and rounds to the result's type once. Algorithms that name
// a small type round the operands to it.
absl::StatusOr<Literal> EvaluateDot(const HloInstruction& hlo,
                                    Operands operands);

// Group g starts at the sum of the sizes before it. Rows in no group give 0;
// the batch mode is a plain dot, whatever the groups.
absl::StatusOr<Literal> EvaluateRaggedDot(const HloInstruction& hlo,
                                          Operands operands);

// Repeats scales over the blocks that they apply to.
absl::StatusOr<Literal> EvaluateScaledDot(const HloInstruction& hlo,
                                          Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_CONTRACTION_H_
