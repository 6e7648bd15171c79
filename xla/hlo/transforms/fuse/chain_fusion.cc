// Copies the links into the fused computation one by one.
#include "xla/hlo/transforms/fuse/chain_fusion.h"

#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

class ChainBuilder {
 public:
  absl::Status Build(HloComputation* computation, absl::string_view name,
                     absl::Span<const ChainLink> links) {
    fused_ = computation->parent()->AddEmbeddedComputation(
        std::make_unique<HloComputation>(std::string(name)));
    fused_->set_is_fusion_computation(true);
    HloInstruction* root = nullptr;
    for (const ChainLink& link : links) {
      root = Inside(*link.instruction, link.operand, root);
    }
    fused_->set_root_instruction(root);
    HloInstruction* last =
        const_cast<HloInstruction*>(links.back().instruction);
    FusionAttrs attrs;
    attrs.kind = FusionKind::kCustom;
    auto fusion = HloInstruction::Create(HloOpcode::kFusion, last->shape(),
                                         operands_, attrs, {fused_});
    fusion->set_metadata(last->metadata());
    TF_RETURN_IF_ERROR(last->ReplaceAllUsesWith(computation->AddInstruction(
        std::move(fusion), absl::StrCat(name, "_fusion"))));
    return computation->RemoveInstructionAndUnusedOperands(last);
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

  HloComputation* fused_ = nullptr;
  std::vector<HloInstruction*> operands_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> parameters_;
};

}  // namespace

absl::Status FuseChain(HloComputation* computation, absl::string_view name,
                       absl::Span<const ChainLink> links) {
  return ChainBuilder().Build(computation, name, links);
}

std::vector<HloComputation*> ComputationsToFuse(HloModule* module) {
  std::vector<HloComputation*> computations;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (!computation->IsFusionComputation()) {
      computations.push_back(computation);
    }
  }
  return computations;
}

}  // namespace xla
