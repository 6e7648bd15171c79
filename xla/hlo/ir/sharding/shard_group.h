// HloShardGroup: instructions whose shardings go together.
#ifndef XLA_HLO_IR_SHARDING_SHARD_GROUP_H_
#define XLA_HLO_IR_SHARDING_SHARD_GROUP_H_

#include <cstdint>

namespace xla {

// Whether instructions that have the same group are to be sharded alike (as),
// or may be (like).
struct HloShardGroup {
  int64_t shard_group_id = 0;
  bool shard_as = false;
  bool shard_like = false;
  bool operator==(const HloShardGroup&) const = default;
};

}  // namespace xla

#endif  // XLA_HLO_IR_SHARDING_SHARD_GROUP_H_
