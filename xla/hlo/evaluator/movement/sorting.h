// Kernels of sort and topk. The verifier checks shapes.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_SORTING_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_SORTING_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// The sort is always stable. Elements beyond a dynamic size stay in place. The
// result is a permutation for any comparator. Several operands give a tuple.
absl::StatusOr<Literal> EvaluateSort(Interpreter& interpreter,
                                     const HloInstruction& hlo,
                                     Operands operands);

// Returns a tuple of values and s32 indices, for topk or a custom call to TopK.
// Elements are in total order (-nan, -inf, .., -0, 0, .., inf, nan), equal ones
// by index.
absl::StatusOr<Literal> EvaluateTopK(const HloInstruction& hlo,
                                     Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_SORTING_H_
