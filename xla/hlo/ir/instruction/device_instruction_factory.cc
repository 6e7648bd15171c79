// Makes collectives, transfers and asynchronous ops.
#include "xla/hlo/ir/instruction/device_instruction_factory.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "xla/base/logging.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"

namespace xla {
namespace {

using Owned = DeviceInstructionFactory::Owned;
using Operands = DeviceInstructionFactory::Operands;
using Channel = DeviceInstructionFactory::Channel;
using Pairs = absl::Span<const std::pair<int64_t, int64_t>>;

using List = CollectiveDeviceListBase;

ReplicaGroups KeepForm(const List& list) { return ReplicaGroups(list.Clone()); }

Owned AllGather(HloOpcode opcode, const Shape& shape, Operands operands,
                int64_t dimension, const List& groups, bool constrain_layout,
                const Channel& channel_id, bool use_global_device_ids) {
  return HloInstruction::Create(opcode, shape, operands,
                                AllGatherAttrs{channel_id,
                                               KeepForm(groups),
                                               constrain_layout,
                                               {dimension},
                                               use_global_device_ids});
}

Owned AllReduce(HloOpcode opcode, const Shape& shape, Operands operands,
                HloComputation* computation, const List& groups,
                bool constrain_layout, const Channel& channel_id,
                bool use_global_device_ids) {
  return HloInstruction::Create(
      opcode, shape, operands,
      AllReduceAttrs{channel_id, KeepForm(groups), constrain_layout,
                     use_global_device_ids},
      {computation});
}

Owned Permute(HloOpcode opcode, const Shape& shape, Operands operands,
              Pairs pairs, const Channel& channel_id) {
  CollectivePermuteAttrs attrs;
  attrs.channel_id = channel_id;
  attrs.source_target_pairs.assign(pairs.begin(), pairs.end());
  return HloInstruction::Create(opcode, shape, operands, std::move(attrs));
}

Owned Transfer(HloOpcode opcode, const Shape& shape, Operands operands,
               const Channel& channel_id, bool is_host_transfer) {
  return HloInstruction::Create(opcode, shape, operands,
                                ChannelAttrs{channel_id, is_host_transfer});
}

// The shape of a send or recv under way.
Shape UnderWay(const Shape& data) {
  return ShapeUtil::MakeTupleShape(
      {data, ShapeUtil::MakeScalarShape(U32), ShapeUtil::MakeTokenShape()});
}

// Names a link of a chain after the op that the chain runs: "add-start".
void NameLink(HloInstruction& link, HloOpcode wrapped) {
  absl::string_view suffix = HloOpcodeString(link.opcode());
  absl::ConsumePrefix(&suffix, "async");
  link.SetAndSanitizeName(absl::StrCat(HloOpcodeString(wrapped), suffix));
}

// Makes a link after `link`. Thread and computation are those of the start.
Owned NextLink(HloOpcode opcode, const Shape& shape, HloInstruction* link) {
  Owned next = HloInstruction::Create(opcode, shape, {link});
  NameLink(*next, link->async_wrapped_opcode());
  return next;
}

}  // namespace

Owned DeviceInstructionFactory::CreateAllGather(
    const Shape& shape, Operands operands, int64_t all_gather_dimension,
    const List& device_list, bool constrain_layout, const Channel& channel_id,
    bool use_global_device_ids) {
  return AllGather(HloOpcode::kAllGather, shape, operands, all_gather_dimension,
                   device_list, constrain_layout, channel_id,
                   use_global_device_ids);
}

Owned DeviceInstructionFactory::CreateAllGatherStart(
    const Shape& shape, Operands operands, int64_t all_gather_dimension,
    const List& device_list, bool constrain_layout, const Channel& channel_id,
    bool use_global_device_ids) {
  return AllGather(HloOpcode::kAllGatherStart, shape, operands,
                   all_gather_dimension, device_list, constrain_layout,
                   channel_id, use_global_device_ids);
}

Owned DeviceInstructionFactory::CreateAllReduce(
    const Shape& shape, Operands operands, HloComputation* reduce_computation,
    const List& device_list, bool constrain_layout, const Channel& channel_id,
    bool use_global_device_ids) {
  return AllReduce(HloOpcode::kAllReduce, shape, operands, reduce_computation,
                   device_list, constrain_layout, channel_id,
                   use_global_device_ids);
}

Owned DeviceInstructionFactory::CreateAllReduceStart(
    const Shape& shape, Operands operands, HloComputation* reduce_computation,
    const List& device_list, bool constrain_layout, const Channel& channel_id,
    bool use_global_device_ids) {
  return AllReduce(HloOpcode::kAllReduceStart, shape, operands,
                   reduce_computation, device_list, constrain_layout,
                   channel_id, use_global_device_ids);
}

Owned DeviceInstructionFactory::CreateReduceScatter(
    const Shape& shape, Operands operands, HloComputation* reduce_computation,
    const List& device_list, bool constrain_layout, const Channel& channel_id,
    bool use_global_device_ids, int64_t scatter_dimension) {
  return HloInstruction::Create(HloOpcode::kReduceScatter, shape, operands,
                                ReduceScatterAttrs{channel_id,
                                                   KeepForm(device_list),
                                                   constrain_layout,
                                                   use_global_device_ids,
                                                   {scatter_dimension}},
                                {reduce_computation});
}

Owned DeviceInstructionFactory::CreateAllToAll(
    const Shape& shape, Operands operands, const List& device_list,
    bool constrain_layout, const Channel& channel_id,
    const std::optional<int64_t>& split_dimension) {
  AllToAllAttrs attrs{channel_id, KeepForm(device_list), constrain_layout};
  if (split_dimension.has_value()) attrs.dimensions = {*split_dimension};
  return HloInstruction::Create(HloOpcode::kAllToAll, shape, operands,
                                std::move(attrs));
}

Owned DeviceInstructionFactory::CreateRaggedAllToAll(
    const Shape& shape, Operands operands, const List& device_list,
    const Channel& channel_id) {
  return HloInstruction::Create(
      HloOpcode::kRaggedAllToAll, shape, operands,
      RaggedAllToAllAttrs{channel_id, KeepForm(device_list)});
}

Owned DeviceInstructionFactory::CreateCollectiveBroadcast(
    const Shape& shape, Operands operands, const List& device_list,
    bool constrain_layout, const Channel& channel_id) {
  CHECK(!constrain_layout) << "collective-broadcast constrains no layouts";
  return HloInstruction::Create(
      HloOpcode::kCollectiveBroadcast, shape, operands,
      CollectiveBroadcastAttrs{channel_id, KeepForm(device_list)});
}

Owned DeviceInstructionFactory::CreateCollectivePermute(
    const Shape& shape, HloInstruction* operand, Pairs source_target_pairs,
    const Channel& channel_id) {
  return Permute(HloOpcode::kCollectivePermute, shape, {operand},
                 source_target_pairs, channel_id);
}

Owned DeviceInstructionFactory::CreateCollectivePermute(
    const Shape& shape, Operands operands, Pairs source_target_pairs,
    const Channel& channel_id) {
  return Permute(HloOpcode::kCollectivePermute, shape, operands,
                 source_target_pairs, channel_id);
}

Owned DeviceInstructionFactory::CreateCollectivePermuteStart(
    const Shape& shape, HloInstruction* operand, Pairs source_target_pairs,
    const Channel& channel_id) {
  return Permute(HloOpcode::kCollectivePermuteStart, shape, {operand},
                 source_target_pairs, channel_id);
}

Owned DeviceInstructionFactory::CreateCollectivePermuteStart(
    const Shape& shape, Operands operands, Pairs source_target_pairs,
    const Channel& channel_id) {
  return Permute(HloOpcode::kCollectivePermuteStart, shape, operands,
                 source_target_pairs, channel_id);
}

Owned DeviceInstructionFactory::CreateInfeed(const Shape& infeed_shape,
                                             HloInstruction* token_operand,
                                             const std::string& config) {
  return HloInstruction::Create(
      HloOpcode::kInfeed,
      ShapeUtil::MakeTupleShape({infeed_shape, ShapeUtil::MakeTokenShape()}),
      {token_operand}, InfeedAttrs{config});
}

Owned DeviceInstructionFactory::CreateOutfeed(
    const Shape& outfeed_shape, HloInstruction* operand,
    HloInstruction* token_operand, absl::string_view outfeed_config) {
  return HloInstruction::Create(
      HloOpcode::kOutfeed, ShapeUtil::MakeTokenShape(),
      {operand, token_operand},
      OutfeedAttrs{outfeed_shape, std::string(outfeed_config)});
}

Owned DeviceInstructionFactory::CreateSend(HloInstruction* operand,
                                           HloInstruction* token,
                                           const Channel& channel_id,
                                           bool is_host_transfer) {
  return Transfer(HloOpcode::kSend, UnderWay(operand->shape()),
                  {operand, token}, channel_id, is_host_transfer);
}

Owned DeviceInstructionFactory::CreateSendDone(HloInstruction* operand,
                                               const Channel& channel_id,
                                               bool is_host_transfer) {
  return Transfer(HloOpcode::kSendDone, ShapeUtil::MakeTokenShape(), {operand},
                  channel_id, is_host_transfer);
}

Owned DeviceInstructionFactory::CreateRecv(const Shape& shape,
                                           HloInstruction* token,
                                           const Channel& channel_id,
                                           bool is_host_transfer) {
  return Transfer(HloOpcode::kRecv, UnderWay(shape), {token}, channel_id,
                  is_host_transfer);
}

Owned DeviceInstructionFactory::CreateRecvDone(HloInstruction* operand,
                                               const Channel& channel_id,
                                               bool is_host_transfer) {
  return Transfer(HloOpcode::kRecvDone,
                  ShapeUtil::MakeTupleShape({operand->shape().tuple_shapes(0),
                                             ShapeUtil::MakeTokenShape()}),
                  {operand}, channel_id, is_host_transfer);
}

Owned DeviceInstructionFactory::CreateAsyncStart(
    const Shape& shape, Operands operands, HloComputation* async_computation,
    absl::string_view async_execution_thread) {
  Owned start = HloInstruction::Create(HloOpcode::kAsyncStart, shape, operands,
                                       AsyncStartAttrs(), {async_computation});
  start->set_async_execution_thread(async_execution_thread);
  NameLink(*start, start->async_wrapped_opcode());
  return start;
}

Owned DeviceInstructionFactory::CreateAsyncUpdate(const Shape& shape,
                                                  HloInstruction* operand) {
  return NextLink(HloOpcode::kAsyncUpdate, shape, operand);
}

Owned DeviceInstructionFactory::CreateAsyncDone(const Shape& shape,
                                                HloInstruction* operand) {
  return NextLink(HloOpcode::kAsyncDone, shape, operand);
}

}  // namespace xla
