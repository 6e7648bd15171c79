// Emits collectives, and the halves of asynchronous ones: finds which devices
// take part, and with which slices.
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
  return {config.replica_count(), config.num_partitions()};
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

// A collective, and the instruction of the program that runs it: itself, or the
// async-start that calls its computation.
struct CollectiveCall {
  const HloInstruction& op;
  const HloInstruction& caller;
  const ThunkEmitterContext& context;

  bool is_asynchronous() const { return &op != &caller; }
};

// Returns the results of `start`, whose value is (operands, results, context).
absl::StatusOr<std::vector<Slice>> ResultsOfStart(
    const HloInstruction& start, const ThunkEmitterContext& context) {
  const Shape& shape = start.shape();
  return SlicesOf(start, LeafCount(shape.tuple_shapes(0)),
                  LeafCount(shape.tuple_shapes(1)), context);
}

absl::StatusOr<std::vector<Slice>> OperandsOf(
    const HloInstruction& caller, const ThunkEmitterContext& context) {
  std::vector<Slice> operands;
  for (const HloInstruction* operand : caller.operands()) {
    TF_ASSIGN_OR_RETURN(operands.emplace_back(), context.SliceOf(*operand, 0));
  }
  return operands;
}

absl::StatusOr<CollectiveSite> SiteOf(const CollectiveCall& call,
                                      std::optional<int64_t> channel,
                                      absl::StatusOr<Membership> membership) {
  CollectiveSite site{.name = call.op.name(),
                      .op = HloOpcodeString(call.op.opcode()),
                      .channel = channel.value_or(0),
                      .membership = std::move(membership),
                      .shapes = {},
                      .operands = {},
                      .results = {}};
  for (const HloInstruction* operand : call.op.operands()) {
    site.shapes.push_back(operand->shape());
  }
  TF_ASSIGN_OR_RETURN(site.operands, OperandsOf(call.caller, call.context));
  if (call.is_asynchronous()) {
    site.start = &call.caller;
    TF_ASSIGN_OR_RETURN(site.results,
                        ResultsOfStart(call.caller, call.context));
  } else {
    TF_ASSIGN_OR_RETURN(site.results, SlicesOf(call.caller, call.context));
  }
  return site;
}

// For an op whose attributes name a channel and groups of replicas.
template <typename A>
absl::StatusOr<CollectiveSite> GroupSiteOf(const CollectiveCall& call,
                                           const A& attrs,
                                           std::optional<bool> global_ids) {
  return SiteOf(call, attrs.channel_id,
                MembershipOf(call.op, attrs.replica_groups, attrs.channel_id,
                             global_ids));
}

std::vector<Shape> CopiesOf(const std::vector<const Shape*>& shapes) {
  std::vector<Shape> copies;
  for (const Shape* shape : shapes) copies.push_back(*shape);
  return copies;
}

absl::StatusOr<Reducer> ReducerOf(const CollectiveCall& call) {
  const HloComputation& computation = *call.op.to_apply();
  TF_ASSIGN_OR_RETURN(const KernelFunction combine,
                      call.context.KernelOf(call.caller));
  return Reducer(combine,
                 computation.parameter_instruction(0)->shape().element_type());
}

ThunkOr EmitAllGatherThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<AllGatherAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(call, attrs, attrs.use_global_device_ids));
  return std::make_unique<AllGatherThunk>(std::move(site), attrs.dimensions[0],
                                          CopiesOf(Leaves(call.op.shape())));
}

ThunkOr EmitAllReduceThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<AllReduceAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(call, attrs, attrs.use_global_device_ids));
  TF_ASSIGN_OR_RETURN(const Reducer reducer, ReducerOf(call));
  return std::make_unique<AllReduceThunk>(std::move(site), reducer);
}

ThunkOr EmitReduceScatterThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<ReduceScatterAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(call, attrs, attrs.use_global_device_ids));
  TF_ASSIGN_OR_RETURN(const Reducer reducer, ReducerOf(call));
  return std::make_unique<ReduceScatterThunk>(
      std::move(site), reducer, attrs.dimensions[0],
      CopiesOf(Leaves(call.op.shape())));
}

ThunkOr EmitAllToAllThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<AllToAllAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(call, attrs, std::nullopt));
  return std::make_unique<AllToAllThunk>(
      std::move(site), attrs.dimensions.empty() ? -1 : attrs.dimensions[0]);
}

ThunkOr EmitCollectiveBroadcastThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<CollectiveBroadcastAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(call, attrs, std::nullopt));
  return std::make_unique<CollectiveBroadcastThunk>(std::move(site));
}

ThunkOr EmitRaggedAllToAllThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<RaggedAllToAllAttrs>();
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      GroupSiteOf(call, attrs, std::nullopt));
  return std::make_unique<RaggedAllToAllThunk>(std::move(site));
}

ThunkOr EmitCollectivePermuteThunk(const CollectiveCall& call) {
  const auto& attrs = call.op.attrs<CollectivePermuteAttrs>();
  TF_RET_CHECK(!IsInPlace(attrs)) << call.op.name();
  const bool by_partition = attrs.channel_id.has_value();
  const DeviceCounts counts = CountsOf(call.op);
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
  TF_ASSIGN_OR_RETURN(CollectiveSite site,
                      SiteOf(call, attrs.channel_id, std::move(membership)));
  // No pairs make an empty group; they do not stand for all devices.
  if (site.membership.ok() && attrs.source_target_pairs.empty()) {
    site.membership->group_of_device.assign(counts.devices(), -1);
  }
  return std::make_unique<CollectivePermuteThunk>(std::move(site),
                                                  std::move(sources));
}

ThunkOr EmitCollectiveCall(const CollectiveCall& call) {
  TF_RETURN_IF_ERROR(CheckCanonical(call.op));
  switch (call.op.opcode()) {
    case HloOpcode::kAllGather:
      return EmitAllGatherThunk(call);
    case HloOpcode::kAllReduce:
      return EmitAllReduceThunk(call);
    case HloOpcode::kReduceScatter:
      return EmitReduceScatterThunk(call);
    case HloOpcode::kAllToAll:
      return EmitAllToAllThunk(call);
    case HloOpcode::kCollectiveBroadcast:
      return EmitCollectiveBroadcastThunk(call);
    case HloOpcode::kCollectivePermute:
      return EmitCollectivePermuteThunk(call);
    case HloOpcode::kRaggedAllToAll:
      return EmitRaggedAllToAllThunk(call);
    default:
      return absl::InternalError(
          absl::StrCat(call.op.name(), " is not a collective"));
  }
}

}  // namespace

ThunkOr EmitCollectiveThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context) {
  return EmitCollectiveCall({hlo, hlo, context});
}

ThunkOr EmitCollectiveStartThunk(const HloInstruction& hlo,
                                 const ThunkEmitterContext& context) {
  const HloInstruction& op = *hlo.called_computations()[0]->root_instruction();
  return EmitCollectiveCall({op, hlo, context});
}

ThunkOr EmitCollectiveDoneThunk(const HloInstruction& hlo,
                                const ThunkEmitterContext& context) {
  const HloInstruction& start = *hlo.operand(0);
  TF_RET_CHECK(start.opcode() == HloOpcode::kAsyncStart) << hlo.name();
  TF_ASSIGN_OR_RETURN(std::vector<Slice> operands, OperandsOf(start, context));
  TF_ASSIGN_OR_RETURN(std::vector<Slice> results,
                      ResultsOfStart(start, context));
  return std::make_unique<CollectiveDoneThunk>(
      hlo.name(), &start, std::move(operands), std::move(results));
}

}  // namespace xla::cpu
