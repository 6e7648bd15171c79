// Resharding: the collectives that bring an array from one sharding to another,
// their bytes, and their instructions.
#ifndef XLA_HLO_TRANSFORMS_RESHARDING_RESHARDING_H_
#define XLA_HLO_TRANSFORMS_RESHARDING_RESHARDING_H_

#include <cstdint>
#include <vector>

#include "xla/core/shape.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/resharding/spmd_builder.h"

namespace xla {

enum class ReshardKind : uint8_t {
  kSlice,          // each device takes a part of `dimension`: nothing moves
  kAllGather,      // of `dimension`
  kAllToAll,       // from `dimension`, which gets whole, to `other_dimension`
  kPermute,        // each device gets its part from one other
  kAllReduce,      // of partial values
  kReduceScatter,  // the same, each device keeps a part of `dimension`
  kMakePartial,    // the first device keeps the values, others have none
};

struct ReshardStep {
  ReshardKind kind;
  int64_t dimension = -1;
  int64_t other_dimension = -1;
  AxisList axes;
  MeshSharding from;
  MeshSharding to;
};

// Plans the steps. Both shardings have the same manual axes. Parts of a
// dimension that does not divide are rounded up, so that the parts of one
// sharding may lie across those of another; such a dimension is gathered first.
std::vector<ReshardStep> PlanReshard(const Shape& shape,
                                     const MeshSharding& from,
                                     const MeshSharding& to);

// A collective costs as much as these bytes before the first one arrives.
inline constexpr double kLatencyBytes = 4096;

// What a device receives, in bytes, and a fixed amount for each collective.
double ReshardCost(const Shape& shape, const std::vector<ReshardStep>& steps);

// What a device receives in an all-reduce of `bytes`, with that fixed amount.
double AllReduceCost(double bytes, int64_t devices);

// The bytes of one part.
double PartBytes(const Shape& shape, const MeshSharding& sharding);

// The shape of one part, in the layout of the whole.
Shape PartShape(const Shape& shape, const MeshSharding& sharding);

// Adds the steps' instructions; `part` is the part of an array of `shape`.
// Partial values are combined by `reducer`.
HloInstruction* EmitReshard(SpmdBuilder& emit, HloInstruction* part,
                            const Shape& shape, HloOpcode reducer,
                            const std::vector<ReshardStep>& steps);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_RESHARDING_RESHARDING_H_
