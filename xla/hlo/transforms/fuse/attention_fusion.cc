// Moves each group that the backend finds into a computation.
#include "xla/hlo/transforms/fuse/attention_fusion.h"

#include <optional>

#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/fuse/chain_fusion.h"

namespace xla {

absl::StatusOr<bool> AttentionFusion::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    // A dot may end one group and begin another; the earlier group is taken.
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const std::optional<AttentionGroup> found = backend_->FindAttention(*hlo);
      if (!found.has_value()) continue;
      TF_RETURN_IF_ERROR(FuseChain(
          computation, "attention",
          {{found->first}, {found->middle, found->operand}, {hlo, 0}}));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
