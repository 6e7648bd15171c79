// Adds parameters as they are needed.
#include "xla/hlo/transforms/fuse/custom_fusion.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {

CustomFusion::CustomFusion(HloComputation* computation, absl::string_view name)
    : computation_(computation),
      name_(name),
      fused_(computation->parent()->AddEmbeddedComputation(
          std::make_unique<HloComputation>(name_))) {
  fused_->set_is_fusion_computation(true);
  fused_->SetExecutionThread(computation->execution_thread());
}

HloInstruction* CustomFusion::Parameter(const HloInstruction* outside) {
  HloInstruction*& inside = parameters_[outside];
  if (inside == nullptr) {
    inside = fused_->AddInstruction(
        HloInstruction::CreateParameter(static_cast<int64_t>(operands_.size()),
                                        outside->shape(), outside->name()),
        outside->name());
    operands_.push_back(const_cast<HloInstruction*>(outside));
  }
  return inside;
}

HloInstruction* CustomFusion::Copy(const HloInstruction& hlo,
                                   absl::Span<HloInstruction* const> operands) {
  return fused_->AddInstruction(hlo.CloneWithNewOperands(hlo.shape(), operands),
                                hlo.name());
}

absl::Status CustomFusion::Replace(const HloInstruction& last,
                                   HloInstruction* root,
                                   const HloInstruction& metadata_of) {
  fused_->set_root_instruction(root);
  HloInstruction* const replaced = const_cast<HloInstruction*>(&last);
  FusionAttrs attrs;
  attrs.kind = FusionKind::kCustom;
  auto fusion = HloInstruction::Create(HloOpcode::kFusion, last.shape(),
                                       operands_, attrs, {fused_});
  fusion->set_metadata(metadata_of.metadata());
  TF_RETURN_IF_ERROR(replaced->ReplaceAllUsesWith(computation_->AddInstruction(
      std::move(fusion), absl::StrCat(name_, "_fusion"))));
  return computation_->RemoveInstructionAndUnusedOperands(replaced);
}

}  // namespace xla
