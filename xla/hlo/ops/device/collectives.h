// Ops in which several devices take part. device_groups.h says which devices
// form a group for numbers of replicas and partitions.
#ifndef XLA_HLO_OPS_DEVICE_COLLECTIVES_H_
#define XLA_HLO_OPS_DEVICE_COLLECTIVES_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/device/collective_factors.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

// The meaning of the numbers in replica_groups is a CollectiveOpGroupMode of
// xla_data.proto:
//   CROSS_REPLICA                replicas; the groups of each partition apart
//   CROSS_PARTITION              partitions; the groups of each replica apart
//   CROSS_REPLICA_AND_PARTITION  replicas, with all partitions of each
//   FLATTENED_ID                 replica * num_partitions + partition
// Returns the mode that the two attributes select; `use_global_device_ids` is
// nullopt for ops that do not have it. Errors: InvalidArgument if
// use_global_device_ids is set without a channel.
absl::StatusOr<CollectiveOpGroupMode> GetCollectiveOpGroupMode(
    bool has_channel_id, std::optional<bool> use_global_device_ids);

struct AllGatherAttrs {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  bool constrain_layout = false;
  std::vector<int64_t> dimensions;
  bool use_global_device_ids = false;
  static constexpr auto kFields = std::tuple(
      Field{"channel_id", &AllGatherAttrs::channel_id,
            "names the op across partitions"},
      Field{"replica_groups", &AllGatherAttrs::replica_groups,
            "devices that work together; empty: all", Show::kAlways},
      Field{"constrain_layout", &AllGatherAttrs::constrain_layout,
            "whether operand and result layouts are fixed"},
      Field{"dimensions", &AllGatherAttrs::dimensions,
            "the dimension that is gathered", Show::kRequired},
      Field{"use_global_device_ids", &AllGatherAttrs::use_global_device_ids,
            "whether replica_groups holds flattened device numbers"});
};

struct AllReduceAttrs {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  bool constrain_layout = false;
  bool use_global_device_ids = false;
  static constexpr auto kFields = std::tuple(
      Field{"channel_id", &AllReduceAttrs::channel_id,
            "names the op across partitions"},
      Field{"replica_groups", &AllReduceAttrs::replica_groups,
            "devices that work together; empty: all", Show::kAlways},
      Field{"constrain_layout", &AllReduceAttrs::constrain_layout,
            "whether operand and result layouts are fixed"},
      Field{"use_global_device_ids", &AllReduceAttrs::use_global_device_ids,
            "whether replica_groups holds flattened device numbers"});
};

// As all-reduce; the result is split along the one dimension.
struct ReduceScatterAttrs {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  bool constrain_layout = false;
  bool use_global_device_ids = false;
  std::vector<int64_t> dimensions;
  static constexpr auto kFields = std::tuple(
      Field{"channel_id", &ReduceScatterAttrs::channel_id,
            "names the op across partitions"},
      Field{"replica_groups", &ReduceScatterAttrs::replica_groups,
            "devices that work together; empty: all", Show::kAlways},
      Field{"constrain_layout", &ReduceScatterAttrs::constrain_layout,
            "whether operand and result layouts are fixed"},
      Field{"use_global_device_ids", &ReduceScatterAttrs::use_global_device_ids,
            "whether replica_groups holds flattened device numbers"},
      Field{"dimensions", &ReduceScatterAttrs::dimensions,
            "the dimension that is scattered", Show::kRequired});
};

struct AllToAllAttrs {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  bool constrain_layout = false;
  std::vector<int64_t> dimensions;  // empty: the tuple form
  static constexpr auto kFields =
      std::tuple(Field{"channel_id", &AllToAllAttrs::channel_id,
                       "names the op across partitions"},
                 Field{"replica_groups", &AllToAllAttrs::replica_groups,
                       "devices that work together; empty: all", Show::kAlways},
                 Field{"constrain_layout", &AllToAllAttrs::constrain_layout,
                       "whether operand and result layouts are fixed"},
                 Field{"dimensions", &AllToAllAttrs::dimensions,
                       "the dimension that is split and concatenated"});
};

struct CollectiveBroadcastAttrs {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  static constexpr auto kFields = std::tuple(
      Field{"channel_id", &CollectiveBroadcastAttrs::channel_id,
            "names the op across partitions"},
      Field{"replica_groups", &CollectiveBroadcastAttrs::replica_groups,
            "devices that work together, the sender first", Show::kAlways});
};

struct RaggedAllToAllAttrs {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  static constexpr auto kFields = std::tuple(
      Field{"channel_id", &RaggedAllToAllAttrs::channel_id,
            "names the op across partitions"},
      Field{"replica_groups", &RaggedAllToAllAttrs::replica_groups,
            "devices that work together; empty: all", Show::kAlways});
};

struct CollectivePermuteAttrs {
  std::optional<int64_t> channel_id;
  SourceTargetPairs source_target_pairs;
  std::vector<std::vector<int64_t>> slice_sizes;
  static constexpr auto kFields = std::tuple(
      Field{"channel_id", &CollectivePermuteAttrs::channel_id,
            "names the op across partitions"},
      Field{"source_target_pairs", &CollectivePermuteAttrs::source_target_pairs,
            "who sends to whom", Show::kRequired},
      Field{"slice_sizes", &CollectivePermuteAttrs::slice_sizes,
            "sizes of the slices that the form of four operands sends",
            Show::kOptional, "dynamic_slice_sizes"});
};

// Whether a collective's attributes may say that replica_groups holds flattened
// device numbers. Errors: replica_groups_c5.
absl::Status CheckGlobalDeviceIds(const std::optional<int64_t>& channel_id,
                                  bool use_global_device_ids);

// Shapes of operands [..., n, ...] gathered from k devices: [..., k n, ...],
// as declared; a tuple of them for several operands. Errors: all_gather_c1 to
// all_gather_c4, replica_groups_c1 to _c4. Source: section "AllGather".
absl::StatusOr<Shape> InferAllGather(const InferArgs& args,
                                     const AllGatherAttrs& attrs);
// The shapes of the operands, as a tuple if there are several; to_apply is
// (T[], T[]) -> T[]. Errors: all_reduce_c1 to all_reduce_c2, replica_groups_c1
// to _c4. Source: section "AllReduce".
absl::StatusOr<Shape> InferAllReduce(const InferArgs& args,
                                     const AllReduceAttrs& attrs);
// [..., k n, ...] -> the declared [..., n, ...]. Errors: reduce_scatter_c1 to
// reduce_scatter_c5. Source: section "ReduceScatter".
absl::StatusOr<Shape> InferReduceScatter(const InferArgs& args,
                                         const ReduceScatterAttrs& attrs);
// The operand's shape or, in the tuple form, the tuple of equal shapes. Errors:
// all_to_all_c1 to all_to_all_c6. Source: section "AllToAll".
absl::StatusOr<Shape> InferAllToAll(const InferArgs& args,
                                    const AllToAllAttrs& attrs);
// The shapes of the operands. Errors: collective_broadcast_c1.
absl::StatusOr<Shape> InferCollectiveBroadcast(
    const InferArgs& args, const CollectiveBroadcastAttrs& attrs);
// The shapes of the operands; in the form that works in place, which
// permuted_slices.h explains, that of the output. Errors: collective_permute_c1
// to _c10. Source: section "CollectivePermute".
absl::StatusOr<Shape> InferCollectivePermute(
    const InferArgs& args, const CollectivePermuteAttrs& attrs);
// input [n, ...], output [m, ...], four offset and size vectors of the same
// shape -> [m, ...]. Errors: ragged_all_to_all_c1 to _c4.
absl::StatusOr<Shape> InferRaggedAllToAll(const InferArgs& args,
                                          const RaggedAllToAllAttrs& attrs);

// u32[].
absl::StatusOr<Shape> InferDeviceNumber(const InferArgs& args);

inline constexpr OpDef kAllGather = {
    .opcode = HloOpcode::kAllGather,
    .name = "all-gather",
    .operands = {"operands..."},
    .attrs = AttrsOf<AllGatherAttrs>(),
    .infer = Infer<AllGatherAttrs, InferAllGather>(),
    .declares_shape = true,
    .device_dependent = true,
    .factors = Factors<AllGatherAttrs, FactorsOfCollective<AllGatherAttrs>>(),
    .cost_class = CostClass::kDevice,
    .summary = "Concatenates the operands of all devices of a group.",
    .section = "AllGather",
};

inline constexpr OpDef kAllReduce = {
    .opcode = HloOpcode::kAllReduce,
    .name = "all-reduce",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<AllReduceAttrs>(),
    .infer = Infer<AllReduceAttrs, InferAllReduce>(),
    .device_dependent = true,
    .factors = Factors<AllReduceAttrs, FactorsOfCollective<AllReduceAttrs>>(),
    .cost_class = CostClass::kDevice,
    .summary = "Reduces the operands over all devices of a group.",
    .section = "AllReduce",
};

inline constexpr OpDef kReduceScatter = {
    .opcode = HloOpcode::kReduceScatter,
    .name = "reduce-scatter",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<ReduceScatterAttrs>(),
    .infer = Infer<ReduceScatterAttrs, InferReduceScatter>(),
    .declares_shape = true,
    .device_dependent = true,
    .factors =
        Factors<ReduceScatterAttrs, FactorsOfCollective<ReduceScatterAttrs>>(),
    .cost_class = CostClass::kDevice,
    .summary = "Reduces over a group and leaves each device one part.",
    .section = "ReduceScatter",
};

inline constexpr OpDef kAllToAll = {
    .opcode = HloOpcode::kAllToAll,
    .name = "all-to-all",
    .operands = {"operands..."},
    .attrs = AttrsOf<AllToAllAttrs>(),
    .infer = Infer<AllToAllAttrs, InferAllToAll>(),
    .device_dependent = true,
    .factors = Factors<AllToAllAttrs, FactorsOfCollective<AllToAllAttrs>>(),
    .cost_class = CostClass::kDevice,
    .summary = "Sends part i of the operand to device i of the group.",
    .section = "AllToAll",
};

inline constexpr OpDef kCollectiveBroadcast = {
    .opcode = HloOpcode::kCollectiveBroadcast,
    .name = "collective-broadcast",
    .operands = {"operands..."},
    .attrs = AttrsOf<CollectiveBroadcastAttrs>(),
    .infer = Infer<CollectiveBroadcastAttrs, InferCollectiveBroadcast>(),
    .device_dependent = true,
    .factors = Factors<CollectiveBroadcastAttrs,
                       FactorsOfCollective<CollectiveBroadcastAttrs>>(),
    .cost_class = CostClass::kDevice,
    .summary = "The operand of the first device of each group.",
    .section = "CollectiveBroadcast",
};

inline constexpr OpDef kCollectivePermute = {
    .opcode = HloOpcode::kCollectivePermute,
    .name = "collective-permute",
    .operands = {"operands..."},
    .attrs = AttrsOf<CollectivePermuteAttrs>(),
    .infer = Infer<CollectivePermuteAttrs, InferCollectivePermute>(),
    .device_dependent = true,
    .factors = Factors<CollectivePermuteAttrs,
                       FactorsOfCollective<CollectivePermuteAttrs>>(),
    .cost_class = CostClass::kDevice,
    .summary = "Sends the operand from each source to its target.",
    .section = "CollectivePermute",
};

inline constexpr OpDef kRaggedAllToAll = {
    .opcode = HloOpcode::kRaggedAllToAll,
    .name = "ragged-all-to-all",
    .operands = {"input", "output", "input_offsets", "send_sizes",
                 "output_offsets", "recv_sizes"},
    .attrs = AttrsOf<RaggedAllToAllAttrs>(),
    .infer = Infer<RaggedAllToAllAttrs, InferRaggedAllToAll>(),
    .device_dependent = true,
    .cost_class = CostClass::kDevice,
    .summary = "Sends slices of differing sizes to the devices of a group.",
    .section = "RaggedAllToAll",
};

inline constexpr OpDef kReplicaId = {
    .opcode = HloOpcode::kReplicaId,
    .name = "replica-id",
    .infer = Infer<NoAttrs, InferDeviceNumber>(),
    .device_dependent = true,
    .cost_class = CostClass::kDevice,
    .summary = "The number of this device's replica.",
    .section = "ReplicaId",
};

inline constexpr OpDef kPartitionId = {
    .opcode = HloOpcode::kPartitionId,
    .name = "partition-id",
    .infer = Infer<NoAttrs, InferDeviceNumber>(),
    .device_dependent = true,
    .cost_class = CostClass::kDevice,
    .summary = "The number of this device's partition.",
    .section = "PartitionId",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_COLLECTIVES_H_
