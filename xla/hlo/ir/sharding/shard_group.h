// HloShardGroup: instructions whose shardings go together.
#ifndef XLA_HLO_IR_SHARDING_SHARD_GROUP_H_
#define XLA_HLO_IR_SHARDING_SHARD_GROUP_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace xla {

// Whether instructions that have the same group are to be sharded alike (as),
// or may be (like).
struct HloShardGroup {
  int64_t shard_group_id = 0;
  bool shard_as = false;
  bool shard_like = false;
  bool operator==(const HloShardGroup&) const = default;
  // "shard_as 3", "shard_like 3"; "" for no group.
  std::string ToString() const {
    if (!shard_as && !shard_like) return "";
    return absl::StrCat(shard_as ? "shard_as " : "shard_like ", shard_group_id);
  }
};

}  // namespace xla

#endif  // XLA_HLO_IR_SHARDING_SHARD_GROUP_H_
