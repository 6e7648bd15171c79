// Ops in which several devices take part. All functions: errors are kept in the
// builder. Without groups all devices form one; with a channel, the devices of
// all partitions take part. Sources: sections "AllGather", "AllReduce",
// "AllToAll", "CollectivePermute", "CrossReplicaSum", "ReduceScatter",
// "ReplicaId".
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

// Sums over all devices; pred is or-ed.
XlaOp CrossReplicaSum(XlaOp operand,
                      absl::Span<const ReplicaGroup> replica_groups = {});

// [.., n, ..] -> [.., shard_count n, ..], for each element of a tuple. A layout
// applies to operand and result. Errors: all_gather_of_c1.
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

// Reduces the operand, an array or a tuple of arrays, over the devices. Errors:
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

// [.., shard_count n, ..] -> [.., n, ..], for each element of a tuple. Errors:
// reduce_scatter_of_c1.
XlaOp ReduceScatter(
    XlaOp operand, const CalledComputation& computation,
    int64_t scatter_dimension, int64_t shard_count,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt);

// Splits the operand in split_count parts along one dimension, sends part i to
// device i of the group, and joins the received parts along the other. Errors:
// all_to_all_of_c1.
XlaOp AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
               int64_t split_count,
               absl::Span<const ReplicaGroup> replica_groups = {},
               const std::optional<Layout>& layout = std::nullopt,
               const std::optional<ChannelHandle>& channel_id = std::nullopt);
// Sends operand i to device i; returns a tuple of the received values.
XlaOp AllToAllTuple(
    absl::Span<const XlaOp> operands,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<Layout>& layout = std::nullopt,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);
// AllToAll through the tuple form. Errors: all_to_all_of_c1, _c2.
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

// Returns the operand of the first device of each group. With has_dynamic_root,
// the last operand is s32[n] for n others: the position in each group of the
// device that sends operand i, or of the nearest one if there is none. That is
// made of an all-to-all and a slice, and each device is in a group. Errors:
// collective_broadcast_of_c1, _c2; Unimplemented for arrays of dynamic sizes.
XlaOp CollectiveBroadcast(
    XlaOp operand, absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp CollectiveBroadcast(
    absl::Span<const XlaOp> operands,
    absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    bool has_dynamic_root = false);

// Sends from the first to the second of each pair; devices that receive nothing
// get zeros. In place, the operands are an input, an output, and the positions
// in them: the input, all of it, replaces elements of the target's output.
XlaOp CollectivePermute(
    XlaOp operand,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    bool inplace = false);
XlaOp MultiCollectivePermute(
    absl::Span<const XlaOp> operands,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    bool inplace = false);

// Returns u32[].
XlaOp ReplicaId(XlaBuilder* builder);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_COLLECTIVES_H_
