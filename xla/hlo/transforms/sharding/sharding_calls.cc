// Tells sharding calls apart by target, sharding and users.
#include "xla/hlo/transforms/sharding/sharding_calls.h"

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

constexpr struct {
  absl::string_view target;
  ShardingCall call;
} kShardingCalls[] = {
    {"Sharding", ShardingCall::kSharding},
    {"xla.sdy.FuncResultSharding", ShardingCall::kResult},
    {"xla.sdy.PropagationBarrier", ShardingCall::kBarrier},
    {"SPMDFullToShardShape", ShardingCall::kFullToShard},
    {"SPMDShardToFullShape", ShardingCall::kShardToFull},
};

bool HasOnlyUsersOf(const HloInstruction& hlo, ShardingCall call) {
  return hlo.user_count() > 0 &&
         absl::c_all_of(hlo.users(), [&](const HloInstruction* user) {
           return ShardingCallOf(*user) == call;
         });
}

constexpr absl::string_view kPartitionedCallbacks[] = {
    "xla_ffi_partitioned_python_cpu_callback",
    "xla_ffi_partitioned_python_gpu_callback",
    "tessera_partitioned_python_callback",
};

}  // namespace

ShardingCall ShardingCallOf(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kCustomCall || hlo.operand_count() != 1) {
    return ShardingCall::kNone;
  }
  const auto& attrs = hlo.attrs<CustomCallAttrs>();
  for (const auto& row : kShardingCalls) {
    if (row.target == attrs.custom_call_target) return row.call;
  }
  return ShardingCall::kNone;
}

bool IsGroupMarker(const HloInstruction& hlo) {
  return ShardingCallOf(hlo) == ShardingCall::kSharding && hlo.has_sharding() &&
         hlo.sharding_proto().is_shard_group() &&
         hlo.sharding_proto().type() == OpSharding::UNKNOWN;
}

bool IsManualExit(const HloInstruction& hlo) {
  return ShardingCallOf(hlo) == ShardingCall::kSharding &&
         HasOnlyUsersOf(hlo, ShardingCall::kShardToFull);
}

bool IsConstraint(const HloInstruction& hlo) {
  return ShardingCallOf(hlo) == ShardingCall::kSharding && hlo.has_sharding() &&
         !IsGroupMarker(hlo) && !IsManualExit(hlo);
}

bool IsManualEntry(const HloInstruction& hlo) {
  return ShardingCallOf(hlo) == ShardingCall::kSharding &&
         HasOnlyUsersOf(hlo, ShardingCall::kFullToShard);
}

bool IsPartitionedCallback(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kCustomCall &&
         absl::c_linear_search(
             kPartitionedCallbacks,
             hlo.attrs<CustomCallAttrs>().custom_call_target) &&
         absl::c_none_of(Leaves(hlo.shape()),
                         [](const Shape* leaf) { return leaf->IsArray(); });
}

}  // namespace xla
