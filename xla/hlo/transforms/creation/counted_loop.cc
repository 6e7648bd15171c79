// Conditions compare; bodies are up to the pass.
#include "xla/hlo/transforms/creation/counted_loop.h"

#include <memory>

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

HloComputation* AddCarryComputation(HloModule* module, absl::string_view name,
                                    const Shape& carry) {
  HloComputation* computation =
      module->AddEmbeddedComputation(std::make_unique<HloComputation>(name));
  computation->AddInstruction(
      HloInstruction::CreateParameter(0, carry, "carry"));
  return computation;
}

absl::StatusOr<HloComputation*> AddCountCondition(HloModule* module,
                                                  absl::string_view name,
                                                  const Shape& carry,
                                                  int64_t limit) {
  HloComputation* condition = AddCarryComputation(module, name, carry);
  HloBuilder emit(condition);
  HloInstruction* count = emit.Element(condition->parameter_instruction(0), 0);
  condition->set_root_instruction(
      emit.Compare(ComparisonDirection::kLt, count,
                   emit.Integer(count->shape().element_type(), limit)));
  TF_RETURN_IF_ERROR(emit.status());
  return condition;
}

}  // namespace xla
