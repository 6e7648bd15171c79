// Moves each group that the backend finds into a computation.
#include "xla/hlo/transforms/fuse/epilogue_fusion.h"

#include <optional>

#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/fuse/chain_fusion.h"

namespace xla {

absl::StatusOr<bool> EpilogueFusion::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const std::optional<EpilogueGroup> found = backend_->FindEpilogue(*hlo);
      if (!found.has_value()) continue;
      TF_RETURN_IF_ERROR(FuseChain(computation, "epilogue",
                                   {{found->product}, {hlo, found->operand}}));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
