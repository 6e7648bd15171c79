// Makes fusion instructions of planned groups.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_BUILDER_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_BUILDER_H_

#include "absl/status/statusor.h"
#include "xla/hlo/transforms/fuse/fusion_groups.h"

namespace xla {

// Replaces the members of each group of more than one by a fusion, of kind
// kInput for reductions by rows or columns, else kLoop. Reshapes of what a
// fusion reads stay outside of it. True if there was any such group.
absl::StatusOr<bool> BuildFusions(HloComputation* computation,
                                  FusionGroups& groups);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_BUILDER_H_
