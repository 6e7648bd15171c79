// Kernels of concatenate, pad, slice, dynamic-slice and dynamic-update-slice.
// The verifier checks shapes; positions are data and are clamped.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_SLICING_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_SLICING_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Concatenates operands by their sizes at run time. Another dynamic dimension
// has the size of the first operand in which it is dynamic.
absl::StatusOr<Literal> EvaluateConcatenate(const HloInstruction& hlo,
                                            Operands operands);

// The padding follows the elements within the dynamic sizes.
absl::StatusOr<Literal> EvaluatePad(const HloInstruction& hlo,
                                    Operands operands);

absl::StatusOr<Literal> EvaluateSlice(const HloInstruction& hlo,
                                      Operands operands);

// start = clamp(0, start, size - slice size), where sizes are bounds.
absl::StatusOr<Literal> EvaluateDynamicSlice(const HloInstruction& hlo,
                                             Operands operands);

// Clamps likewise; of a dynamic update, writes the elements within its sizes.
absl::StatusOr<Literal> EvaluateDynamicUpdateSlice(const HloInstruction& hlo,
                                                   Operands operands);

// Copies the box of `sizes` at `from_starts` of one static array to `to_starts`
// of another with the same type and rank. Starts are integer scalars, one for
// each dimension, clamped as above.
void CopySlice(const Literal& from, Operands from_starts, Literal& to,
               Operands to_starts, absl::Span<const int64_t> sizes);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_SLICING_H_
