// Copies each group that the backend finds into a computation, from its last
// instruction up.
#include "xla/hlo/transforms/fuse/attention_fusion.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/fuse/chain_fusion.h"
#include "xla/hlo/transforms/fuse/custom_fusion.h"

namespace xla {
namespace {

// Copies what leads from arrays in memory to a result.
class InPlaceBuilder {
 public:
  // Of `middle`, only operand number `operand` is in the group.
  InPlaceBuilder(HloComputation* computation, absl::string_view name,
                 absl::Span<const HloInstruction* const> arrays,
                 const HloInstruction* middle = nullptr, int64_t operand = -1)
      : fusion_(computation, name),
        arrays_(arrays.begin(), arrays.end()),
        middle_(middle),
        operand_(operand) {}

  // Replaces `result` by a fusion with the metadata of `dot`.
  absl::Status Build(const HloInstruction& result, const HloInstruction& dot) {
    return fusion_.Replace(result, Inside(&result), dot);
  }

 private:
  // Returns the copy of `hlo`, of the group or an array that it reads.
  HloInstruction* Inside(const HloInstruction* hlo) {
    if (arrays_.contains(hlo)) return fusion_.Parameter(hlo);
    const auto it = copies_.find(hlo);
    if (it != copies_.end()) return it->second;
    std::vector<HloInstruction*> operands;
    for (int64_t i = 0; i < hlo->operand_count(); ++i) {
      const HloInstruction* operand = hlo->operand(i);
      operands.push_back(hlo == middle_ && i != operand_
                             ? fusion_.Parameter(operand)
                             : Inside(operand));
    }
    return copies_[hlo] = fusion_.Copy(*hlo, operands);
  }

  CustomFusion fusion_;
  const absl::flat_hash_set<const HloInstruction*> arrays_;
  const HloInstruction* const middle_;
  const int64_t operand_;
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

void AttentionFusion::Explain(const HloInstruction& second) const {
  const std::optional<FusionRefusal> refusal =
      backend_->ExplainNoAttention(second);
  if (!refusal.has_value()) return;
  for (const HloInstruction* array : refusal->arrays) {
    const_cast<HloInstruction*>(array)->set_frontend_attribute(kReasonAttribute,
                                                               refusal->reason);
  }
}

absl::StatusOr<bool> AttentionFusion::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    // A dot may end one group and begin another; the earlier group is taken.
    for (const HloInstruction* hlo : DotsOf(*computation)) {
      const std::optional<AttentionGroup> found = backend_->FindAttention(*hlo);
      if (!found.has_value()) {
        if (explain_) Explain(*hlo);
        continue;
      }
      InPlaceBuilder builder(computation, "attention",
                             {found->lhs, found->rhs, found->values},
                             found->middle, found->operand);
      TF_RETURN_IF_ERROR(builder.Build(*found->last, *found->second));
      changed = true;
    }
  }
  return changed;
}

absl::StatusOr<bool> DotInPlaceFusion::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    for (const HloInstruction* hlo : DotsOf(*computation)) {
      const std::optional<DotInPlaceGroup> found =
          backend_->FindDotInPlace(*hlo);
      if (!found.has_value()) continue;
      InPlaceBuilder builder(computation, "dot_in_place",
                             {found->lhs, found->rhs});
      TF_RETURN_IF_ERROR(builder.Build(*hlo, *hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
