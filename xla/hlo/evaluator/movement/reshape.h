// Kernels of the ops that place the elements of one array in another shape, and
// of those on sizes of dynamic dimensions. Shapes are the verifier's business.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_RESHAPE_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_RESHAPE_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Dynamic dimensions that the operand does not have get their bound.
absl::StatusOr<Literal> EvaluateBroadcast(const HloInstruction& hlo,
                                          Operands operands);

// The elements within the dynamic sizes, row-major, are those of the result
// within its sizes. Dimensions fall into groups of equal bounds' products; in
// each the result may have one dynamic dimension (Unimplemented otherwise),
// whose size is the group's elements over its other dimensions, rounded down.
// A static group takes over the bytes as they are.
absl::StatusOr<Literal> EvaluateReshape(const HloInstruction& hlo,
                                        Operands operands);

// The elements within the operand's sizes, row-major, fill the result within
// the sizes that operands 1.. give (clamped to their bounds), as far as both
// reach.
absl::StatusOr<Literal> EvaluateDynamicReshape(const HloInstruction& hlo,
                                               Operands operands);

absl::StatusOr<Literal> EvaluateTranspose(const HloInstruction& hlo,
                                          Operands operands);

// Within the dynamic sizes.
absl::StatusOr<Literal> EvaluateReverse(const HloInstruction& hlo,
                                        Operands operands);

// The operand's bytes in the layout of its instruction, read in the layout of
// `hlo`; elements under a byte are packed, lowest bits first. Unimplemented for
// tiles where the widths of elements differ.
absl::StatusOr<Literal> EvaluateBitcast(const HloInstruction& hlo,
                                        Operands operands);

// Integers wrap around, floats round to nearest even.
absl::StatusOr<Literal> EvaluateIota(const HloInstruction& hlo,
                                     Operands operands);

absl::StatusOr<Literal> EvaluateGetDimensionSize(const HloInstruction& hlo,
                                                 Operands operands);

// The size is clamped to [0, bound].
absl::StatusOr<Literal> EvaluateSetDimensionSize(const HloInstruction& hlo,
                                                 Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_RESHAPE_H_
