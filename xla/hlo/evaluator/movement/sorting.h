// Kernels of sort and topk. Shapes are the verifier's business.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_SORTING_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_SORTING_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Always stable. Elements beyond a dynamic size stay where they are. Whatever
// the comparator says, the result is a permutation. With several operands the
// result is a tuple.
absl::StatusOr<Literal> EvaluateSort(Interpreter& interpreter,
                                     const HloInstruction& hlo,
                                     Operands operands);

// A tuple of values and s32 indices, of topk or of a custom call to TopK.
// Elements in total order (-nan, -inf, .., -0, 0, .., inf, nan), equal ones by
// index.
absl::StatusOr<Literal> EvaluateTopK(const HloInstruction& hlo,
                                     Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_SORTING_H_
