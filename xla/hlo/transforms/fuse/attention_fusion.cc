// Copies each group that the backend finds into a computation, from its last
// instruction up.
#include "xla/hlo/transforms/fuse/attention_fusion.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/fuse/chain_fusion.h"

namespace xla {
namespace {

// Copies what leads from arrays in memory to a result.
class InPlaceBuilder {
 public:
  // Of `middle`, only operand number `operand` is in the group.
  InPlaceBuilder(HloComputation* computation,
                 absl::Span<const HloInstruction* const> arrays,
                 const HloInstruction* middle = nullptr, int64_t operand = -1)
      : computation_(computation),
        arrays_(arrays.begin(), arrays.end()),
        middle_(middle),
        operand_(operand) {}

  // Replaces `result` by a fusion called `name`_fusion, with the metadata of
  // `dot`.
  absl::Status Build(absl::string_view name, const HloInstruction* result,
                     const HloInstruction& dot) {
    fused_ = computation_->parent()->AddEmbeddedComputation(
        std::make_unique<HloComputation>(std::string(name)));
    fused_->set_is_fusion_computation(true);
    fused_->set_root_instruction(Inside(result));
    HloInstruction* last = const_cast<HloInstruction*>(result);
    FusionAttrs attrs;
    attrs.kind = FusionKind::kCustom;
    auto fusion = HloInstruction::Create(HloOpcode::kFusion, last->shape(),
                                         operands_, attrs, {fused_});
    fusion->set_metadata(dot.metadata());
    TF_RETURN_IF_ERROR(last->ReplaceAllUsesWith(computation_->AddInstruction(
        std::move(fusion), absl::StrCat(name, "_fusion"))));
    return computation_->RemoveInstructionAndUnusedOperands(last);
  }

 private:
  // Returns the copy of `hlo`, of the group or an array that it reads.
  HloInstruction* Inside(const HloInstruction* hlo) {
    if (arrays_.contains(hlo)) return Parameter(hlo);
    const auto it = copies_.find(hlo);
    if (it != copies_.end()) return it->second;
    std::vector<HloInstruction*> operands;
    for (int64_t i = 0; i < hlo->operand_count(); ++i) {
      const HloInstruction* operand = hlo->operand(i);
      operands.push_back(hlo == middle_ && i != operand_ ? Parameter(operand)
                                                         : Inside(operand));
    }
    HloInstruction* copy = fused_->AddInstruction(
        hlo->CloneWithNewOperands(hlo->shape(), operands), hlo->name());
    copies_[hlo] = copy;
    return copy;
  }

  HloInstruction* Parameter(const HloInstruction* outside) {
    HloInstruction*& inside = parameters_[outside];
    if (inside == nullptr) {
      inside =
          fused_->AddInstruction(HloInstruction::CreateParameter(
                                     static_cast<int64_t>(operands_.size()),
                                     outside->shape(), outside->name()),
                                 outside->name());
      operands_.push_back(const_cast<HloInstruction*>(outside));
    }
    return inside;
  }

  HloComputation* const computation_;
  const absl::flat_hash_set<const HloInstruction*> arrays_;
  const HloInstruction* const middle_;
  const int64_t operand_;
  HloComputation* fused_ = nullptr;
  std::vector<HloInstruction*> operands_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> parameters_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> copies_;
};

// Returns the dots of a computation, operands first.
std::vector<HloInstruction*> DotsOf(const HloComputation& computation) {
  std::vector<HloInstruction*> dots;
  for (HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
    if (hlo->opcode() == HloOpcode::kDot) dots.push_back(hlo);
  }
  return dots;
}

}  // namespace

absl::StatusOr<bool> AttentionFusion::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    // A dot may end one group and begin another; the earlier group is taken.
    for (const HloInstruction* hlo : DotsOf(*computation)) {
      const std::optional<AttentionGroup> found = backend_->FindAttention(*hlo);
      if (!found.has_value()) continue;
      InPlaceBuilder builder(computation,
                             {found->lhs, found->rhs, found->values},
                             found->middle, found->operand);
      TF_RETURN_IF_ERROR(
          builder.Build("attention", found->last, *found->second));
      changed = true;
    }
  }
  return changed;
}

absl::StatusOr<bool> DotInPlaceFusion::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    for (const HloInstruction* hlo : DotsOf(*computation)) {
      const std::optional<DotInPlaceGroup> found =
          backend_->FindDotInPlace(*hlo);
      if (!found.has_value()) continue;
      InPlaceBuilder builder(computation, {found->lhs, found->rhs});
      TF_RETURN_IF_ERROR(builder.Build("dot_in_place", hlo, *hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
