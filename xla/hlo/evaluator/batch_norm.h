// Kernels of batch normalization. Sums are computed in f64 and rounded once.
#ifndef XLA_HLO_EVALUATOR_BATCH_NORM_H_
#define XLA_HLO_EVALUATOR_BATCH_NORM_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Elements beyond the size of a dynamic dimension are ignored.
absl::StatusOr<Literal> EvaluateBatchNormTraining(const HloInstruction& hlo,
                                                  Operands operands);
absl::StatusOr<Literal> EvaluateBatchNormInference(const HloInstruction& hlo,
                                                   Operands operands);
absl::StatusOr<Literal> EvaluateBatchNormGrad(const HloInstruction& hlo,
                                              Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_BATCH_NORM_H_
