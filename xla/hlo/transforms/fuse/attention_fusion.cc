// Moves each group that the backend finds into a computation.
#include "xla/hlo/transforms/fuse/attention_fusion.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

class AttentionBuilder {
 public:
  explicit AttentionBuilder(const AttentionGroup& found) : found_(found) {}

  absl::Status Build(HloComputation* computation) {
    HloInstruction* second = const_cast<HloInstruction*>(found_.second);
    fused_ = computation->parent()->AddEmbeddedComputation(
        std::make_unique<HloComputation>("attention"));
    fused_->set_is_fusion_computation(true);
    HloInstruction* root = Inside(*found_.first, -1, nullptr);
    root = Inside(*found_.middle, found_.operand, root);
    root = Inside(*second, 0, root);
    fused_->set_root_instruction(root);
    FusionAttrs attrs;
    attrs.kind = FusionKind::kCustom;
    auto fusion = HloInstruction::Create(HloOpcode::kFusion, second->shape(),
                                         operands_, attrs, {fused_});
    fusion->set_metadata(second->metadata());
    TF_RETURN_IF_ERROR(second->ReplaceAllUsesWith(
        computation->AddInstruction(std::move(fusion), "attention_fusion")));
    return computation->RemoveInstructionAndUnusedOperands(second);
  }

 private:
  // Copies `hlo` into the computation. Its operand `number` is `value` there,
  // through a bitcast; the others become parameters.
  HloInstruction* Inside(const HloInstruction& hlo, int64_t number,
                         HloInstruction* value) {
    std::vector<HloInstruction*> operands;
    for (int64_t i = 0; i < hlo.operand_count(); ++i) {
      HloInstruction* outside =
          const_cast<HloInstruction&>(hlo).mutable_operand(i);
      if (i != number) {
        operands.push_back(Parameter(outside));
        continue;
      }
      if (value->shape() != outside->shape()) {
        value = fused_->AddInstruction(
            HloInstruction::Create(HloOpcode::kBitcast, outside->shape(),
                                   {value}),
            "bitcast");
      }
      operands.push_back(value);
    }
    return fused_->AddInstruction(
        hlo.CloneWithNewOperands(hlo.shape(), operands), hlo.name());
  }

  HloInstruction* Parameter(HloInstruction* outside) {
    HloInstruction*& inside = parameters_[outside];
    if (inside == nullptr) {
      inside =
          fused_->AddInstruction(HloInstruction::CreateParameter(
                                     static_cast<int64_t>(operands_.size()),
                                     outside->shape(), outside->name()),
                                 outside->name());
      operands_.push_back(outside);
    }
    return inside;
  }

  const AttentionGroup found_;
  HloComputation* fused_ = nullptr;
  std::vector<HloInstruction*> operands_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> parameters_;
};

}  // namespace

absl::StatusOr<bool> AttentionFusion::Run(HloModule* module) {
  std::vector<HloComputation*> computations;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (!computation->IsFusionComputation()) {
      computations.push_back(computation);
    }
  }
  bool changed = false;
  for (HloComputation* computation : computations) {
    // A dot may end one group and begin another; the earlier group is taken.
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const std::optional<AttentionGroup> found = backend_->FindAttention(*hlo);
      if (!found.has_value()) continue;
      TF_RETURN_IF_ERROR(AttentionBuilder(*found).Build(computation));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
