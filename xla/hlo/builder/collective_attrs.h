// Shared by collectives and their asynchronous forms. Not for clients.
#ifndef XLA_HLO_BUILDER_COLLECTIVE_ATTRS_H_
#define XLA_HLO_BUILDER_COLLECTIVE_ATTRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace builder_internal {

ReplicaGroups Groups(absl::Span<const ReplicaGroup> replica_groups);
std::optional<int64_t> ChannelId(
    const std::optional<ChannelHandle>& channel_id);
// Returns what a collective of `operand` is of: the elements of a tuple, or the
// operand.
absl::StatusOr<std::vector<XlaOp>> Expanded(XlaBuilder& b, XlaOp operand);
// Errors: InvalidArgument if the layout does not fit.
absl::Status SetLayout(const Layout& layout, Shape* shape);

// Returns the shape of `operand` gathered along `dimension`. Errors:
// all_gather_of_c1.
absl::StatusOr<Shape> GatheredShape(const XlaBuilder& b, XlaOp operand,
                                    int64_t dimension, int64_t shard_count,
                                    const std::optional<Layout>& layout);
AllGatherAttrs MakeAllGatherAttrs(
    int64_t dimension, absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id, bool constrain_layout,
    std::optional<bool> use_global_device_ids);

// In place, one slice is sent, all of operand 0. Errors: those of the op are
// left to it.
absl::StatusOr<CollectivePermuteAttrs> MakePermuteAttrs(
    const XlaBuilder& b, absl::Span<const XlaOp> operands,
    const SourceTargetPairs& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id, bool inplace);

// Adds an all-reduce or all-reduce-start.
absl::StatusOr<XlaOp> AddAllReduce(
    XlaBuilder& b, HloOpcode opcode, absl::Span<const XlaOp> operands,
    const CalledComputation& computation,
    absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id,
    const std::optional<Shape>& shape_with_layout,
    std::optional<bool> use_global_device_ids);

}  // namespace builder_internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_COLLECTIVE_ATTRS_H_
