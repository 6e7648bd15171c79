// Functions that add instructions with inferred shapes.
#ifndef COMPAT_XLA_SERVICE_HLO_CREATION_UTILS_H_
#define COMPAT_XLA_SERVICE_HLO_CREATION_UTILS_H_

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/service/creation_utils/more_ops.h"  // IWYU pragma: export
#include "xla/service/creation_utils/ops.h"       // IWYU pragma: export
#include "xla/service/creation_utils/shapes.h"    // IWYU pragma: export

namespace xla {

// Makes a module whose entry is a fusion of a copy of the instruction, with the
// config of the instruction's module.
inline std::unique_ptr<HloModule> NewModuleWithFusion(
    const HloInstruction* instruction, HloInstruction::FusionKind fusion_kind) {
  auto module = std::make_unique<HloModule>(
      absl::StrCat("wrapped_module_", instruction->name()),
      instruction->GetModule()->config());
  module->mutable_config().clear_entry_computation_layout();
  const auto add_parameters = [&](HloComputation::Builder& builder) {
    std::vector<HloInstruction*> parameters;
    for (int64_t i = 0; i < instruction->operand_count(); ++i) {
      parameters.push_back(
          builder.AddInstruction(HloInstruction::CreateParameter(
              i, instruction->operand(i)->shape(), absl::StrCat("param_", i))));
    }
    return parameters;
  };
  HloComputation::Builder fused(absl::StrCat("wrapped_", instruction->name()));
  const std::vector<HloInstruction*> fused_parameters = add_parameters(fused);
  HloInstruction* copy = fused.AddInstruction(instruction->CloneWithNewOperands(
      instruction->shape(), fused_parameters));
  std::vector<HloComputation*> callees;
  for (const HloComputation* callee : instruction->called_computations()) {
    callees.push_back(module->DeepCloneComputation(*callee));
  }
  copy->ReplaceCalledComputations(callees);
  HloComputation* computation = module->AddEmbeddedComputation(fused.Build());
  HloComputation::Builder entry("entry");
  const std::vector<HloInstruction*> parameters = add_parameters(entry);
  entry.AddInstruction(HloInstruction::CreateFusion(
      instruction->shape(), fusion_kind, parameters, computation,
      absl::StrCat(instruction->name(), "-")));
  module->AddEntryComputation(entry.Build());
  return module;
}

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_HLO_CREATION_UTILS_H_
