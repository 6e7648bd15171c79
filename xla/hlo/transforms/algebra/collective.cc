// Rules of collectives in which each device is alone in its group, and of the
// ids of the only replica and partition.
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/permuted_slices.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

bool HasOneDevice(const HloInstruction* hlo) {
  const HloModuleConfig& config = hlo->GetModule()->config();
  return config.replica_count() == 1 && config.num_partitions() == 1;
}

// Returns whether each group has one device, whatever kind of id the groups
// hold. A group of one replica has several devices if it includes all
// partitions, the mode of a channel without global device ids.
template <typename A>
bool IsAlone(const HloInstruction* hlo) {
  if (HasOneDevice(hlo)) return true;
  const A& attrs = hlo->attrs<A>();
  if (attrs.replica_groups.groups().empty()) return false;
  if constexpr (requires { attrs.use_global_device_ids; }) {
    if (attrs.channel_id.has_value() && !attrs.use_global_device_ids &&
        hlo->GetModule()->config().num_partitions() != 1) {
      return false;
    }
  }
  for (const auto& group : attrs.replica_groups.groups()) {
    if (group.size() != 1) return false;
  }
  // A device that is in no group is an error, which the collective must report.
  const auto& config = hlo->GetModule()->config();
  int64_t devices = config.replica_count();
  if constexpr (requires { attrs.use_global_device_ids; }) {
    if (attrs.use_global_device_ids) devices *= config.num_partitions();
  }
  return static_cast<int64_t>(attrs.replica_groups.groups().size()) == devices;
}

// Returns the operands, as a tuple if the result is one.
HloInstruction* Operands(HloInstruction* hlo, RuleContext& context) {
  if (hlo->shape().IsTuple()) {
    return context.Make(HloOpcode::kTuple, hlo->shape(), hlo->operands());
  }
  return hlo->operand_count() == 1 ? Lhs(hlo) : nullptr;
}

// all-reduce(x) => x, for a single device per group
Result AllReduceAlone(HloInstruction* hlo, RuleContext& context) {
  return IsAlone<AllReduceAttrs>(hlo) ? Operands(hlo, context) : nullptr;
}

// all-gather(x) => x, for a single device per group
Result AllGatherAlone(HloInstruction* hlo, RuleContext& context) {
  return IsAlone<AllGatherAttrs>(hlo) ? Operands(hlo, context) : nullptr;
}

// reduce-scatter(x) => x, for a single device per group
Result ReduceScatterAlone(HloInstruction* hlo, RuleContext& context) {
  return IsAlone<ReduceScatterAttrs>(hlo) ? Operands(hlo, context) : nullptr;
}

// all-to-all(x) => x, for a single device per group
Result AllToAllAlone(HloInstruction* hlo, RuleContext& context) {
  return IsAlone<AllToAllAttrs>(hlo) ? Operands(hlo, context) : nullptr;
}

// collective-broadcast(x) => x, for a single device per group
Result CollectiveBroadcastAlone(HloInstruction* hlo, RuleContext& context) {
  if (!HasOneDevice(hlo)) return nullptr;
  // A device in no group gets zeros.
  const auto& groups =
      hlo->attrs<CollectiveBroadcastAttrs>().replica_groups.groups();
  if (groups.size() != 1 || groups[0].size() != 1) return nullptr;
  return Operands(hlo, context);
}

// collective-permute(x) => x, from the only device to itself
Result CollectivePermuteAlone(HloInstruction* hlo, RuleContext& context) {
  const auto& attrs = hlo->attrs<CollectivePermuteAttrs>();
  const auto& pairs = attrs.source_target_pairs;
  if (IsInPlace(attrs) || !HasOneDevice(hlo) || pairs.size() != 1 ||
      pairs[0].first != 0 || pairs[0].second != 0) {
    return nullptr;
  }
  return Operands(hlo, context);
}

// replica-id() => 0, with one replica
Result OnlyReplica(HloInstruction* hlo, RuleContext& context) {
  if (hlo->GetModule()->config().replica_count() != 1) return nullptr;
  return context.Integer(TypeOf(hlo), 0);
}

// partition-id() => 0, with one partition
Result OnlyPartition(HloInstruction* hlo, RuleContext& context) {
  if (hlo->GetModule()->config().num_partitions() != 1) return nullptr;
  return context.Integer(TypeOf(hlo), 0);
}

constexpr Rule kAllReduce[] = {AllReduceAlone};
constexpr Rule kAllGather[] = {AllGatherAlone};
constexpr Rule kReduceScatter[] = {ReduceScatterAlone};
constexpr Rule kAllToAll[] = {AllToAllAlone};
constexpr Rule kCollectiveBroadcast[] = {CollectiveBroadcastAlone};
constexpr Rule kCollectivePermute[] = {CollectivePermuteAlone};
constexpr Rule kReplicaId[] = {OnlyReplica};
constexpr Rule kPartitionId[] = {OnlyPartition};

}  // namespace

Rules AllReduceRules() { return kAllReduce; }
Rules AllGatherRules() { return kAllGather; }
Rules ReduceScatterRules() { return kReduceScatter; }
Rules AllToAllRules() { return kAllToAll; }
Rules CollectiveBroadcastRules() { return kCollectiveBroadcast; }
Rules CollectivePermuteRules() { return kCollectivePermute; }
Rules ReplicaIdRules() { return kReplicaId; }
Rules PartitionIdRules() { return kPartitionId; }

}  // namespace xla::algebra
