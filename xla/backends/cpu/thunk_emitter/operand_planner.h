// Plans how arrays of the program become operands of kernels.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLANNER_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLANNER_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/library/operand_plan.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Returns the constant that `hlo` is, through bitcasts; null if it is none.
const HloInstruction* ConstantAt(const HloInstruction& hlo);

// Returns a plan that takes an array of this shape as it is, without a slice.
OperandPlan PlanOfShape(const Shape& shape);

// Makes a plan that takes the array of `hlo` as it is.
absl::StatusOr<OperandPlan> PlanOperand(const HloInstruction& hlo,
                                        const ThunkEmitterContext& context);

// Makes a plan of a dynamic-slice whose elements lie one after the other in its
// operand. `array` is that operand in the program, and `indices` those of its
// dimensions, null for whole ones that the program does not have.
absl::StatusOr<OperandPlan> PlanSlice(
    const HloInstruction& dynamic_slice, const HloInstruction& array,
    absl::Span<const HloInstruction* const> indices,
    const ThunkEmitterContext& context);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLANNER_H_
