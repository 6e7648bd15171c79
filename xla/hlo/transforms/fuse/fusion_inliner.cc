// Inlines fusions with the walk that inlines calls.
#include "xla/hlo/transforms/fuse/fusion_inliner.h"

#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {

absl::StatusOr<bool> FusionInliner::RunImpl(HloModule* module) {
  return InlineAll(module, HloOpcode::kFusion, name());
}

}  // namespace xla
