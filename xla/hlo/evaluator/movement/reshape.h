// Kernels of ops that give the elements of an array another shape, and of ops
// on the sizes of dynamic dimensions. The verifier checks shapes.
#ifndef XLA_HLO_EVALUATOR_MOVEMENT_RESHAPE_H_
#define XLA_HLO_EVALUATOR_MOVEMENT_RESHAPE_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Dynamic dimensions that the operand lacks get their bounds.
absl::StatusOr<Literal> EvaluateBroadcast(const HloInstruction& hlo,
                                          Operands operands);

// The elements within the operand's dynamic sizes become, in row-major order,
// the elements within the result's. Dimensions fall into groups whose bounds
// have equal products; in each group the result may have one dynamic dimension
// (Unimplemented otherwise), whose size is the number of the group's elements
// divided by its other dimensions, rounded down. A static group keeps its
// bytes.
absl::StatusOr<Literal> EvaluateReshape(const HloInstruction& hlo,
                                        Operands operands);

// The elements within the operand's sizes fill, in row-major order, the result
// within the sizes that operands 1.. give (clamped to their bounds), until
// either ends.
absl::StatusOr<Literal> EvaluateDynamicReshape(const HloInstruction& hlo,
                                               Operands operands);

absl::StatusOr<Literal> EvaluateTranspose(const HloInstruction& hlo,
                                          Operands operands);

// Reverses within the dynamic sizes.
absl::StatusOr<Literal> EvaluateReverse(const HloInstruction& hlo,
                                        Operands operands);

// Reads the operand's bytes, in the layout of its instruction, in the layout of
// `hlo`; elements under a byte are packed, lowest bits first. Unimplemented for
// tiles if the element widths differ.
absl::StatusOr<Literal> EvaluateBitcast(const HloInstruction& hlo,
                                        Operands operands);

// Integers wrap around, floats round to nearest even.
absl::StatusOr<Literal> EvaluateIota(const HloInstruction& hlo,
                                     Operands operands);

absl::StatusOr<Literal> EvaluateGetDimensionSize(const HloInstruction& hlo,
                                                 Operands operands);

// Clamps the size to [0, bound].
absl::StatusOr<Literal> EvaluateSetDimensionSize(const HloInstruction& hlo,
                                                 Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_MOVEMENT_RESHAPE_H_
