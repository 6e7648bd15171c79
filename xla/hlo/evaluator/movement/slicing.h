// Kernels of concatenate, pad, slice, dynamic-slice and dynamic-update-slice.
// Shapes are the verifier's business; positions are data and get clamped.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_SLICING_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_SLICING_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Operands follow each other by their sizes at run time. Another dynamic
// dimension has the size of the first operand in which it is dynamic.
absl::StatusOr<Literal> EvaluateConcatenate(const HloInstruction& hlo,
                                            Operands operands);

// Padding follows the elements within the dynamic sizes.
absl::StatusOr<Literal> EvaluatePad(const HloInstruction& hlo,
                                    Operands operands);

absl::StatusOr<Literal> EvaluateSlice(const HloInstruction& hlo,
                                      Operands operands);

// start = clamp(0, start, size - slice size), sizes at their bounds.
absl::StatusOr<Literal> EvaluateDynamicSlice(const HloInstruction& hlo,
                                             Operands operands);

// The same clamp; of a dynamic update, the elements within its sizes.
absl::StatusOr<Literal> EvaluateDynamicUpdateSlice(const HloInstruction& hlo,
                                                   Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_SLICING_H_
