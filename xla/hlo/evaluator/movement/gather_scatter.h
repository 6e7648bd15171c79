// Kernels of gather and scatter. The verifier checks shapes; indices are data:
// gather clamps them, scatter drops windows that are not inside.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_GATHER_SCATTER_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_GATHER_SCATTER_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Clamps start indices so that the whole slice is within the operand.
absl::StatusOr<Literal> EvaluateGather(const HloInstruction& hlo,
                                       Operands operands);

// Windows are combined one after the other, row-major in the indices. A window
// that is partly outside changes nothing. The result of several operands is a
// tuple.
absl::StatusOr<Literal> EvaluateScatter(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_GATHER_SCATTER_H_
