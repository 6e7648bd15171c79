// Finds the memory of operands.
#include "xla/backends/cpu/thunk_emitter/operand_planner.h"

#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"

namespace xla::cpu {

const HloInstruction* ConstantAt(const HloInstruction& hlo) {
  const HloInstruction* source = &hlo;
  while (source->opcode() == HloOpcode::kBitcast) source = source->operand(0);
  return source->IsConstant() ? source : nullptr;
}

OperandPlan PlanOfShape(const Shape& shape) {
  OperandPlan plan;
  plan.dimensions.assign(shape.dimensions().begin(), shape.dimensions().end());
  plan.array_type = shape.element_type();
  plan.type = shape.element_type();
  return plan;
}

absl::StatusOr<OperandPlan> PlanOperand(const HloInstruction& hlo,
                                        const ThunkEmitterContext& context) {
  OperandPlan plan = PlanOfShape(hlo.shape());
  TF_ASSIGN_OR_RETURN(plan.slice, context.SliceOf(hlo, 0));
  return plan;
}

absl::StatusOr<OperandPlan> PlanSlice(
    const HloInstruction& dynamic_slice, const HloInstruction& array,
    absl::Span<const HloInstruction* const> indices,
    const ThunkEmitterContext& context) {
  OperandPlan plan = PlanOfShape(dynamic_slice.shape());
  TF_ASSIGN_OR_RETURN(plan.slice, context.SliceOf(array, 0));
  int64_t bytes = LiteralElementBytes(plan.type);
  for (int64_t d = dynamic_slice.shape().rank() - 1; d >= 0; --d) {
    const int64_t size = array.shape().dimensions(d);
    const int64_t limit = size - plan.dimensions[d];
    if (indices[d] != nullptr) {
      TF_ASSIGN_OR_RETURN(const Slice index, context.SliceOf(*indices[d], 0));
      if (limit == 0) {
        plan.whole_indices.push_back(index);
      } else {
        plan.starts.push_back(
            {index, indices[d]->shape().element_type(), limit, bytes});
      }
    }
    bytes *= size;
  }
  return plan;
}

}  // namespace xla::cpu
