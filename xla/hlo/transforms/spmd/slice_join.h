// Slices of one array that are joined again, such as a roll, and along a
// dimension that is divided: elements move once, to where the result has them.
#ifndef XLA_HLO_TRANSFORMS_SPMD_SLICE_JOIN_H_
#define XLA_HLO_TRANSFORMS_SPMD_SLICE_JOIN_H_

#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/resharding/spmd_builder.h"

namespace xla {

// Returns the array if `hlo` is a concatenation of slices of one array that
// nothing else uses, with stride 1 and along the concatenated dimension alone;
// null otherwise.
const HloInstruction* SourceOfJoin(const HloInstruction& hlo);

// Whether the join can be done, for an array with the sharding `source` and a
// result that is to have `wanted`: the same.
bool CanJoin(const MeshSharding& source, const HloInstruction& join,
             const MeshSharding& wanted);

// Adds what gives each device its part of the result from that of the array.
HloInstruction* EmitJoin(SpmdBuilder& emit, const HloInstruction& join,
                         HloInstruction* part, const MeshSharding& sharding);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_SLICE_JOIN_H_
