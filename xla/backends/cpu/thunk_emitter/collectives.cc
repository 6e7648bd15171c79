// Emits collectives: finds which devices take part, and with which slices.
#include "xla/hlo/ops/device/collectives.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/device/permuted_slices.h"

namespace xla::cpu {
namespace {

DeviceCounts CountsOf(const HloInstruction& hlo) {
  const HloModuleConfig& config = hlo.GetModule()->config();
  return {config.replica_count, config.num_partitions};
}

// Ids may name devices that a run does not have if it does not execute the op;
// the thunk reports the error.
absl::StatusOr<Membership> MembershipOf(const HloInstruction& hlo,
                                        const ReplicaGroups& groups,
                                        std::optional<int64_t> channel,
                                        std::optional<bool> global_ids) {
  TF_ASSIGN_OR_RETURN(
      const CollectiveOpGroupMode mode,
      GetCollectiveOpGroupMode(channel.has_value(), global_ids));
  return Membership::Create(groups, mode, CountsOf(hlo));
}

// `results` are the leaves of the result that the exchange writes.
absl::StatusOr<CollectiveSite> SiteOf(const HloInstruction& hlo,
                                      std::optional<int64_t> channel,
                                      absl::StatusOr<Membership> membership,
                                      std::vector<Slice> results,
                                      const ThunkEmitterContext& context) {
  CollectiveSite site{.name = hlo.name(),
                      .op = HloOpcodeString(hlo.opcode()),
                      .channel = channel.value_or(0),
                      .membership = std::move(membership),
                      .shapes = {},
                      .operands = {},
                      .results = std::move(results),
                      .forwards = {},
                      .zeros = {}};
  for (const HloInstruction* operand : hlo.operands()) {
    site.shapes.push_back(operand->shape());
    TF_ASSIGN_OR_RETURN(site.operands.emplace_back(),
                        context.SliceOf(*operand, 0));
  }
  return site;
}

// The op's value is (operands, results, contexts...); the exchange writes the
// results.
absl::StatusOr<CollectiveSite> StartSiteOf(
    const HloInstruction& hlo, std::optional<int64_t> channel,
    absl::StatusOr<Membership> membership, const ThunkEmitterContext& context) {
  const Shape& shape = hlo.shape();
  const int64_t forwarded = LeafCount(shape.tuple_shapes(0));
  const int64_t produced = LeafCount(shape.tuple_shapes(1));
  const int64_t all = LeafCount(shape);
  TF_ASSIGN_OR_RETURN(std::vector<Slice> results,
                      SlicesOf(hlo, forwarded, produced, context));
  TF_ASSIGN_OR_RETURN(
      CollectiveSite site,
      SiteOf(hlo, channel, std::move(membership), std::move(results), context));
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> kept,
                      SlicesOf(hlo, 0, forwarded, context));
  TF_RET_CHECK(kept.size() == site.operands.size()) << hlo.name();
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].size > 0 && kept[i] != site.operands[i]) {
      site.forwards.push_back({site.operands[i], kept[i]});
    }
  }
  TF_ASSIGN_OR_RETURN(
      site.zeros,
      SlicesOf(hlo, forwarded + produced, all - forwarded - produced, context));
  return site;
}

absl::StatusOr<CollectiveSite> PlainSiteOf(
    const HloInstruction& hlo, std::optional<int64_t> channel,
    absl::StatusOr<Membership> membership, const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(std::vector<Slice> results, SlicesOf(hlo, context));
  return SiteOf(hlo, channel, std::move(membership), std::move(results),
                context);
}

// For an op whose attributes name a channel and groups of replicas.
template <typename A>
absl::StatusOr<CollectiveSite> GroupSiteOf(const HloInstruction& hlo,
                                           const A& attrs,
                                           std::optional<bool> global_ids,
                                           const ThunkEmitterContext& context) {
  return PlainSiteOf(
      hlo, attrs.channel_id,
      MembershipOf(hlo, attrs.replica_groups, attrs.channel_id, global_ids),
      context);
}

std::vector<Shape> CopiesOf(const std::vector<const Shape*>& shapes) {
  std::vector<Shape> copies;
  for (const Shape* shape : shapes) copies.push_back(*shape);
  return copies;
}

absl::StatusOr<Reducer> ReducerOf(const HloInstruction& hlo,
                                  const ThunkEmitterContext& context) {
  const HloComputation& computation = *hlo.to_apply();
  TF_ASSIGN_OR_RETURN(const KernelFunction combine, context.KernelOf(hlo));
  return Reducer(combine,
                 computation.parameter_instruction(0)->shape().element_type());
}

ThunkOr EmitAllGatherThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<AllGatherAttrs>();
  const bool start = hlo.opcode() == HloOpcode::kAllGatherStart;
  auto membership = MembershipOf(hlo, attrs.replica_groups, attrs.channel_id,
                                 attrs.use_global_device_ids);
  TF_ASSIGN_OR_RETURN(
      CollectiveSite site,
      start
          ? StartSiteOf(hlo, attrs.channel_id, std::move(membership), context)
          : PlainSiteOf(hlo, attrs.channel_id, std::move(membership), context));
  return std::make_unique<AllGatherThunk>(
      std::move(site), attrs.dimensions[0],
      CopiesOf(Leaves(start ? hlo.shape().tuple_shapes(1) : hlo.shape())));
}

ThunkOr EmitAllReduceThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<AllReduceAttrs>();
  TF_ASSIGN_OR_RETURN(
      CollectiveSite site,
      GroupSiteOf(hlo, attrs, attrs.use_global_device_ids, context));
  TF_ASSIGN_OR_RETURN(const Reducer reducer, ReducerOf(hlo, context));
  return std::make_unique<AllReduceThunk>(std::move(site), reducer);
}

ThunkOr EmitReduceScatterThunk(const HloInstruction& hlo,
                               const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<ReduceScatterAttrs>();
  TF_ASSIGN_OR_RETURN(
      CollectiveSite site,
      GroupSiteOf(hlo, attrs, attrs.use_global_device_ids, context));
  TF_ASSIGN_OR_RETURN(const Reducer reducer, ReducerOf(hlo, context));
  return std::make_unique<ReduceScatterThunk>(std::move(site), reducer,
                                              attrs.dimensions[0],
                                              CopiesOf(Leaves(hlo.shape())));
}

ThunkOr EmitAllToAllThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<AllToAllAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(hlo, attrs, std::nullopt, context));
  return std::make_unique<AllToAllThunk>(
      std::move(site), attrs.dimensions.empty() ? -1 : attrs.dimensions[0]);
}

ThunkOr EmitCollectiveBroadcastThunk(const HloInstruction& hlo,
                                     const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<CollectiveBroadcastAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(hlo, attrs, std::nullopt, context));
  return std::make_unique<CollectiveBroadcastThunk>(std::move(site));
}

ThunkOr EmitRaggedAllToAllThunk(const HloInstruction& hlo,
                                const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<RaggedAllToAllAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(hlo, attrs, std::nullopt, context));
  return std::make_unique<RaggedAllToAllThunk>(std::move(site));
}

ThunkOr EmitCollectivePermuteThunk(const HloInstruction& hlo,
                                   const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<CollectivePermuteAttrs>();
  TF_RET_CHECK(!IsInPlace(attrs)) << hlo.name();
  const bool start = hlo.opcode() == HloOpcode::kCollectivePermuteStart;
  const bool by_partition = attrs.channel_id.has_value();
  const DeviceCounts counts = CountsOf(hlo);
  std::vector<int64_t> sources(counts.devices(), -1);
  for (int64_t device = 0; device < counts.devices(); ++device) {
    const int64_t replica = device / counts.partitions;
    const int64_t partition = device % counts.partitions;
    for (const auto& [source, target] : attrs.source_target_pairs) {
      if (target != (by_partition ? partition : replica)) continue;
      sources[device] = by_partition ? replica * counts.partitions + source
                                     : source * counts.partitions + partition;
    }
  }
  auto membership =
      Membership::Create(GroupOfPairs(attrs.source_target_pairs),
                         by_partition ? COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION
                                      : COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA,
                         counts);
  TF_ASSIGN_OR_RETURN(
      CollectiveSite site,
      start
          ? StartSiteOf(hlo, attrs.channel_id, std::move(membership), context)
          : PlainSiteOf(hlo, attrs.channel_id, std::move(membership), context));
  // No pairs make an empty group; they do not stand for all devices.
  if (site.membership.ok() && attrs.source_target_pairs.empty()) {
    site.membership->group_of_device.assign(counts.devices(), -1);
  }
  return std::make_unique<CollectivePermuteThunk>(std::move(site),
                                                  std::move(sources));
}

}  // namespace

ThunkOr EmitCollectiveThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
      return EmitAllGatherThunk(hlo, context);
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      return EmitAllReduceThunk(hlo, context);
    case HloOpcode::kReduceScatter:
      return EmitReduceScatterThunk(hlo, context);
    case HloOpcode::kAllToAll:
      return EmitAllToAllThunk(hlo, context);
    case HloOpcode::kCollectiveBroadcast:
      return EmitCollectiveBroadcastThunk(hlo, context);
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return EmitCollectivePermuteThunk(hlo, context);
    case HloOpcode::kRaggedAllToAll:
      return EmitRaggedAllToAllThunk(hlo, context);
    default:
      return absl::InternalError(
          absl::StrCat(hlo.name(), " is not a collective"));
  }
}

}  // namespace xla::cpu
