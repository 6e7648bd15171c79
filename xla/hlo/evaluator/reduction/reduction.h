// Kernels of the ops that apply a computation along dimensions or windows.
#ifndef XLA_HLO_EVALUATOR_REDUCTION_REDUCTION_H_
#define XLA_HLO_EVALUATOR_REDUCTION_REDUCTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Reduces in row-major order of the reduced dimensions, starting with the init
// values. Sums and products of small floats and of F32 are rounded once, at the
// end. Elements beyond the size of a dynamic dimension are ignored. Returns a
// tuple literal if the reducer returns a tuple.
absl::StatusOr<Literal> EvaluateReduce(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       Operands operands);

// Reduces in row-major order of the window's elements, starting with the init
// values; skips padding and the holes of a dilated base.
absl::StatusOr<Literal> EvaluateReduceWindow(Interpreter& interpreter,
                                             const HloInstruction& hlo,
                                             Operands operands);

// Keeps the first element of a window until select(kept, next) is false. A
// source element whose window lies in the padding is dropped.
absl::StatusOr<Literal> EvaluateSelectAndScatter(Interpreter& interpreter,
                                                 const HloInstruction& hlo,
                                                 Operands operands);

// Runs slice by slice, in order, whether associative or not. Returns a tuple.
absl::StatusOr<Value> EvaluateScan(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands);

absl::StatusOr<Literal> EvaluateMap(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REDUCTION_REDUCTION_H_
