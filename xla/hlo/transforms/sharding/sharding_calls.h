// The custom calls that say how arrays are divided, and which of them state
// what a program wants.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_SHARDING_CALLS_H_
#define XLA_HLO_TRANSFORMS_SHARDING_SHARDING_CALLS_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

enum class ShardingCall : uint8_t {
  kNone,
  // "Sharding": the value of the operand, divided as the call's sharding says.
  kSharding,
  // "xla.sdy.FuncResultSharding": the same for a result of the entry, which
  // is no wish about the operand.
  kResult,
  // "xla.sdy.PropagationBarrier": passes shardings on in one direction.
  kBarrier,
  // "SPMDFullToShardShape", "SPMDShardToFullShape": where an array enters and
  // leaves a manual computation.
  kFullToShard,
  kShardToFull,
};

// Calls of these names with another number of operands are kNone.
ShardingCall ShardingCallOf(const HloInstruction& hlo);

// A "Sharding" that only puts its operand into a group: {unknown shard_as 0}.
bool IsGroupMarker(const HloInstruction& hlo);
// A "Sharding" whose value leaves a manual computation.
bool IsManualExit(const HloInstruction& hlo);
// Any other "Sharding": a constraint, or how an array is divided where it
// enters a manual computation (IsManualEntry).
bool IsConstraint(const HloInstruction& hlo);
bool IsManualEntry(const HloInstruction& hlo);

// A callback that every device makes with the parts that it has, even if it
// states one device: JAX calls it partitioned, and it has no results but
// tokens.
bool IsPartitionedCallback(const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_SHARDING_CALLS_H_
