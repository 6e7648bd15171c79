// BuildFusions makes fusion instructions of planned groups.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_BUILDER_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_BUILDER_H_

#include "absl/status/statusor.h"
#include "xla/hlo/transforms/fuse/fusion_groups.h"

namespace xla {

// Replaces the members of each group that has more than one by a fusion, of
// kind kInput for groups with a ReductionKernel and kLoop for others. Reshapes
// of a fusion's operands stay outside of it. Returns whether there was such a
// group.
absl::StatusOr<bool> BuildFusions(HloComputation* computation,
                                  FusionGroups& groups);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_BUILDER_H_
