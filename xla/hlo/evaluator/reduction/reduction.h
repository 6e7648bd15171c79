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

// In row-major order of the reduced dimensions, from the init values on. Sums
// and products of small floats and of F32 are rounded once, at the end. What
// is beyond the size of a dynamic dimension does not count. A tuple literal
// where the reducer returns a tuple.
absl::StatusOr<Literal> EvaluateReduce(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       Operands operands);

// In row-major order of the window's elements, from the init values on; padding
// and the holes of a dilated base do not count.
absl::StatusOr<Literal> EvaluateReduceWindow(Interpreter& interpreter,
                                             const HloInstruction& hlo,
                                             Operands operands);

// Keeps the first element of a window until select(kept, next) is false. A
// source element whose window lies in the padding is dropped.
absl::StatusOr<Literal> EvaluateSelectAndScatter(Interpreter& interpreter,
                                                 const HloInstruction& hlo,
                                                 Operands operands);

// Slice by slice, in order, whether associative or not. A tuple.
absl::StatusOr<Value> EvaluateScan(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands);

absl::StatusOr<Literal> EvaluateMap(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REDUCTION_REDUCTION_H_
