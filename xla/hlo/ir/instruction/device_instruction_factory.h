// DeviceInstructionFactory: the part of InstructionFactory that makes ops which
// talk to other devices or the host, or run asynchronously.
#ifndef XLA_HLO_IR_INSTRUCTION_DEVICE_INSTRUCTION_FACTORY_H_
#define XLA_HLO_IR_INSTRUCTION_DEVICE_INSTRUCTION_FACTORY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/sharding/replica_group.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloComputation;
class HloInstruction;

// As InstructionFactory. No replica groups stand for one of all devices.
class DeviceInstructionFactory {
 public:
  using Owned = std::unique_ptr<HloInstruction>;
  using Operands = absl::Span<HloInstruction* const>;
  using Groups = absl::Span<const ReplicaGroup>;
  using Channel = std::optional<int64_t>;

  static Owned CreateAllGather(const Shape& shape, Operands operands,
                               int64_t all_gather_dimension,
                               const CollectiveDeviceListBase& device_list,
                               bool constrain_layout, const Channel& channel_id,
                               bool use_global_device_ids);
  static Owned CreateAllGatherStart(const Shape& shape, Operands operands,
                                    int64_t all_gather_dimension,
                                    const CollectiveDeviceListBase& device_list,
                                    bool constrain_layout,
                                    const Channel& channel_id,
                                    bool use_global_device_ids);
  static Owned CreateAllReduce(const Shape& shape, Operands operands,
                               HloComputation* reduce_computation,
                               const CollectiveDeviceListBase& device_list,
                               bool constrain_layout, const Channel& channel_id,
                               bool use_global_device_ids);
  static Owned CreateAllReduceStart(const Shape& shape, Operands operands,
                                    HloComputation* reduce_computation,
                                    const CollectiveDeviceListBase& device_list,
                                    bool constrain_layout,
                                    const Channel& channel_id,
                                    bool use_global_device_ids);
  static Owned CreateReduceScatter(const Shape& shape, Operands operands,
                                   HloComputation* reduce_computation,
                                   const CollectiveDeviceListBase& device_list,
                                   bool constrain_layout,
                                   const Channel& channel_id,
                                   bool use_global_device_ids,
                                   int64_t scatter_dimension);
  // Without a dimension, each device sends operand i to device i of its group.
  static Owned CreateAllToAll(
      const Shape& shape, Operands operands,
      const CollectiveDeviceListBase& device_list, bool constrain_layout,
      const Channel& channel_id,
      const std::optional<int64_t>& split_dimension = std::nullopt);
  static Owned CreateRaggedAllToAll(const Shape& shape, Operands operands,
                                    const CollectiveDeviceListBase& device_list,
                                    const Channel& channel_id);
  // Layouts of this op cannot be constrained (CHECK).
  static Owned CreateCollectiveBroadcast(
      const Shape& shape, Operands operands,
      const CollectiveDeviceListBase& device_list, bool constrain_layout,
      const Channel& channel_id);

  // The same for groups that are listed one by one.
  static Owned CreateAllGather(const Shape& shape, Operands operands,
                               int64_t all_gather_dimension,
                               Groups replica_groups, bool constrain_layout,
                               const Channel& channel_id,
                               bool use_global_device_ids) {
    return CreateAllGather(shape, operands, all_gather_dimension,
                           CollectiveDeviceList(replica_groups),
                           constrain_layout, channel_id, use_global_device_ids);
  }
  static Owned CreateAllGatherStart(const Shape& shape, Operands operands,
                                    int64_t all_gather_dimension,
                                    Groups replica_groups,
                                    bool constrain_layout,
                                    const Channel& channel_id,
                                    bool use_global_device_ids) {
    return CreateAllGatherStart(shape, operands, all_gather_dimension,
                                CollectiveDeviceList(replica_groups),
                                constrain_layout, channel_id,
                                use_global_device_ids);
  }
  static Owned CreateAllReduce(const Shape& shape, Operands operands,
                               HloComputation* reduce_computation,
                               Groups replica_groups, bool constrain_layout,
                               const Channel& channel_id,
                               bool use_global_device_ids) {
    return CreateAllReduce(shape, operands, reduce_computation,
                           CollectiveDeviceList(replica_groups),
                           constrain_layout, channel_id, use_global_device_ids);
  }
  static Owned CreateAllReduceStart(const Shape& shape, Operands operands,
                                    HloComputation* reduce_computation,
                                    Groups replica_groups,
                                    bool constrain_layout,
                                    const Channel& channel_id,
                                    bool use_global_device_ids) {
    return CreateAllReduceStart(shape, operands, reduce_computation,
                                CollectiveDeviceList(replica_groups),
                                constrain_layout, channel_id,
                                use_global_device_ids);
  }
  static Owned CreateReduceScatter(const Shape& shape, Operands operands,
                                   HloComputation* reduce_computation,
                                   Groups replica_groups, bool constrain_layout,
                                   const Channel& channel_id,
                                   bool use_global_device_ids,
                                   int64_t scatter_dimension) {
    return CreateReduceScatter(shape, operands, reduce_computation,
                               CollectiveDeviceList(replica_groups),
                               constrain_layout, channel_id,
                               use_global_device_ids, scatter_dimension);
  }
  static Owned CreateAllToAll(
      const Shape& shape, Operands operands, Groups replica_groups,
      bool constrain_layout, const Channel& channel_id,
      const std::optional<int64_t>& split_dimension = std::nullopt) {
    return CreateAllToAll(shape, operands, CollectiveDeviceList(replica_groups),
                          constrain_layout, channel_id, split_dimension);
  }
  static Owned CreateRaggedAllToAll(const Shape& shape, Operands operands,
                                    Groups replica_groups,
                                    const Channel& channel_id) {
    return CreateRaggedAllToAll(
        shape, operands, CollectiveDeviceList(replica_groups), channel_id);
  }
  static Owned CreateCollectiveBroadcast(const Shape& shape, Operands operands,
                                         Groups replica_groups,
                                         bool constrain_layout,
                                         const Channel& channel_id) {
    return CreateCollectiveBroadcast(shape, operands,
                                     CollectiveDeviceList(replica_groups),
                                     constrain_layout, channel_id);
  }

  static Owned CreateCollectivePermute(
      const Shape& shape, HloInstruction* operand,
      absl::Span<const std::pair<int64_t, int64_t>> source_target_pairs,
      const Channel& channel_id);
  static Owned CreateCollectivePermute(
      const Shape& shape, Operands operands,
      absl::Span<const std::pair<int64_t, int64_t>> source_target_pairs,
      const Channel& channel_id);
  static Owned CreateCollectivePermuteStart(
      const Shape& shape, HloInstruction* operand,
      absl::Span<const std::pair<int64_t, int64_t>> source_target_pairs,
      const Channel& channel_id);
  static Owned CreateCollectivePermuteStart(
      const Shape& shape, Operands operands,
      absl::Span<const std::pair<int64_t, int64_t>> source_target_pairs,
      const Channel& channel_id);

  // The shapes are those of the data; the instructions' own shapes have tokens
  // and contexts beside it.
  static Owned CreateInfeed(const Shape& infeed_shape,
                            HloInstruction* token_operand,
                            const std::string& config);
  static Owned CreateOutfeed(const Shape& outfeed_shape,
                             HloInstruction* operand,
                             HloInstruction* token_operand,
                             absl::string_view outfeed_config);
  static Owned CreateSend(HloInstruction* operand, HloInstruction* token,
                          const Channel& channel_id, bool is_host_transfer);
  static Owned CreateSendDone(HloInstruction* operand,
                              const Channel& channel_id, bool is_host_transfer);
  static Owned CreateRecv(const Shape& shape, HloInstruction* token,
                          const Channel& channel_id, bool is_host_transfer);
  static Owned CreateRecvDone(HloInstruction* operand,
                              const Channel& channel_id, bool is_host_transfer);

  // Links are named after the op of their computation, "add-start". The start
  // moves its computation to the thread; the others have both from the start.
  static Owned CreateAsyncStart(
      const Shape& shape, Operands operands, HloComputation* async_computation,
      absl::string_view async_execution_thread = "main");
  static Owned CreateAsyncUpdate(const Shape& shape, HloInstruction* operand);
  static Owned CreateAsyncDone(const Shape& shape, HloInstruction* operand);
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_DEVICE_INSTRUCTION_FACTORY_H_
