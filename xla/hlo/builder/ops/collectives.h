// Ops in which several devices take part. All functions: errors are kept in the
// builder. No groups: all devices in one; a channel: devices of all
// partitions, too. Sources: sections "AllGather", "AllReduce", "AllToAll",
// "CollectivePermute", "CrossReplicaSum", "ReduceScatter", "ReplicaId".
#ifndef XLA_HLO_BUILDER_OPS_COLLECTIVES_H_
#define XLA_HLO_BUILDER_OPS_COLLECTIVES_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class XlaBuilder;

// Sums over all devices; pred: or.
XlaOp CrossReplicaSum(XlaOp operand,
                      absl::Span<const ReplicaGroup> replica_groups = {});

// [.., n, ..] -> [.., shard_count n, ..]. A layout holds for operand and
// result. Errors: all_gather_of_c1.
XlaOp AllGather(XlaOp operand, int64_t all_gather_dimension,
                int64_t shard_count,
                absl::Span<const ReplicaGroup> replica_groups = {},
                const std::optional<ChannelHandle>& channel_id = std::nullopt,
                const std::optional<Layout>& layout = std::nullopt,
                std::optional<bool> use_global_device_ids = std::nullopt);
XlaOp AllGatherTuple(
    absl::Span<const XlaOp> operands, int64_t all_gather_dimension,
    int64_t shard_count, absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt);

// The operand, an array or a tuple of arrays, reduced over the devices. Errors:
// all_reduce_layout_c1.
XlaOp AllReduce(XlaOp operand, const CalledComputation& computation,
                absl::Span<const ReplicaGroup> replica_groups = {},
                const std::optional<ChannelHandle>& channel_id = std::nullopt,
                const std::optional<Shape>& shape_with_layout = std::nullopt,
                std::optional<bool> use_global_device_ids = std::nullopt);
XlaOp AllReduceTuple(
    absl::Span<const XlaOp> operands, const CalledComputation& computation,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Shape>& shape_with_layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt);

// [.., shard_count n, ..] -> [.., n, ..]. Errors: reduce_scatter_of_c1.
XlaOp ReduceScatter(
    XlaOp operand, const CalledComputation& computation,
    int64_t scatter_dimension, int64_t shard_count,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt);

// Splits the operand in split_count parts along one dimension, sends part i to
// device i of the group, joins what comes in along the other. Errors:
// all_to_all_of_c1.
XlaOp AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
               int64_t split_count,
               absl::Span<const ReplicaGroup> replica_groups = {},
               const std::optional<Layout>& layout = std::nullopt,
               const std::optional<ChannelHandle>& channel_id = std::nullopt);
// Operand i goes to device i; a tuple of what comes in.
XlaOp AllToAllTuple(
    absl::Span<const XlaOp> operands,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<Layout>& layout = std::nullopt,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);
// AllToAll by way of the tuple form. Errors: all_to_all_of_c1, _c2.
XlaOp AllToAllTuple(
    XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
    int64_t split_count, absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<Layout>& layout = std::nullopt,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp RaggedAllToAll(
    XlaOp input, XlaOp input_offsets, XlaOp send_sizes, XlaOp output,
    XlaOp output_offsets, XlaOp recv_sizes,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt);

// The operand of the first device of each group. has_dynamic_root:
// Unimplemented.
XlaOp CollectiveBroadcast(
    XlaOp operand, absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp CollectiveBroadcast(
    absl::Span<const XlaOp> operands,
    absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    bool has_dynamic_root = false);

// Sends from the first to the second of each pair; zeros where nothing comes.
XlaOp CollectivePermute(
    XlaOp operand,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp MultiCollectivePermute(
    absl::Span<const XlaOp> operands,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);

// u32[].
XlaOp ReplicaId(XlaBuilder* builder);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_COLLECTIVES_H_
