// Kernels of infeed, outfeed, send and recv, and asynchronous copies.
#include "xla/hlo/evaluator/device/transfers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/device/collectives.h"
#include "xla/hlo/evaluator/interpreter/control_flow.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/hlo/ops/device/transfers.h"

namespace xla {
namespace {

// Returns the pairs that the frontend attributes state, or nullopt. Errors:
// InvalidArgument for text that is not {{0,1},{1,2}}.
absl::StatusOr<std::optional<SourceTargetPairs>> Pairs(
    const HloInstruction& hlo) {
  const auto& map = hlo.frontend_attributes().map();
  auto it = map.find(kSendRecvPairsAttribute);
  if (it == map.end()) return std::nullopt;
  return ParseSendRecvPairs(it->second);
}

// Convert between this device and its number in such pairs.
int64_t PairId(const DeviceContext& device) {
  return device.num_partitions() > 1 ? device.partition_id()
                                     : device.replica_id();
}
int64_t DeviceOfPairId(const DeviceContext& device, int64_t id) {
  return device.num_partitions() > 1
             ? device.replica_id() * device.num_partitions() + id
             : id;
}

absl::Status CheckReceived(const HloInstruction& hlo, const Value& value,
                           const Shape& shape) {
  if (value.Fits(shape)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(hlo.name(), ": expected ", ShapeUtil::HumanString(shape),
                   ", received ", ShapeUtil::HumanString(value.shape())));
}

Value WithToken(Value value) {
  return Value(std::vector<Value>{std::move(value), Value()});
}

}  // namespace

absl::StatusOr<Value> EvaluateInfeed(Interpreter& interpreter,
                                     const HloInstruction& hlo,
                                     std::vector<Value> operands) {
  const Shape& shape = hlo.shape().tuple_shapes(0);
  // An infeed of the empty tuple takes nothing from the queue. Source: section
  // "Infeed".
  if (ShapeUtil::IsEmptyTuple(shape))
    return WithToken(Value(std::vector<Value>()));
  TF_ASSIGN_OR_RETURN(TransferQueues * queues,
                      interpreter.device().Queues(hlo));
  TF_ASSIGN_OR_RETURN(Literal literal,
                      interpreter.device().PopFromHost(hlo, queues->infeed()));
  Value value(std::move(literal));
  TF_RETURN_IF_ERROR(CheckReceived(hlo, value, shape));
  return WithToken(std::move(value));
}

absl::StatusOr<Value> EvaluateOutfeed(Interpreter& interpreter,
                                      const HloInstruction& hlo,
                                      std::vector<Value> operands) {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues,
                      interpreter.device().Queues(hlo));
  Literal literal = operands[0].ToLiteral();
  const Shape& shape = hlo.attrs<OutfeedAttrs>().outfeed_shape;
  if (ShapeUtil::IsInitialized(shape) && LayoutUtil::HasLayout(shape)) {
    literal = literal.Relayout(shape);
  }
  queues->outfeed().Push(std::move(literal));
  return Value();
}

absl::StatusOr<Value> EvaluateSend(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<ChannelAttrs>();
  DeviceContext& device = interpreter.device();
  const int64_t channel = attrs.channel_id.value_or(0);
  TF_ASSIGN_OR_RETURN(std::optional<SourceTargetPairs> pairs, Pairs(hlo));
  if (attrs.is_host_transfer) {
    TF_ASSIGN_OR_RETURN(TransferQueues * queues, device.Queues(hlo));
    queues->to_host(channel).Push(operands[0].ToLiteral());
  } else if (!pairs.has_value()) {
    device.Send({channel, -1}, operands[0]);
  } else {
    for (const auto& [source, target] : *pairs) {
      if (source != PairId(device)) continue;
      device.Send({channel, DeviceOfPairId(device, target)}, operands[0]);
    }
  }
  return Value(
      std::vector<Value>{std::move(operands[0]), DeviceNumber(0), Value()});
}

absl::StatusOr<Value> EvaluateRecv(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<ChannelAttrs>();
  DeviceContext& device = interpreter.device();
  DeviceContext::PendingRecv recv;
  recv.from_host = attrs.is_host_transfer;
  recv.channel = {attrs.channel_id.value_or(0), -1};
  TF_ASSIGN_OR_RETURN(std::optional<SourceTargetPairs> pairs, Pairs(hlo));
  if (!recv.from_host && pairs.has_value()) {
    recv.channel.second = device.number();
    recv.receives = false;
    for (const auto& [source, target] : *pairs) {
      if (target == PairId(device)) recv.receives = true;
    }
  }
  TF_ASSIGN_OR_RETURN(Value zeros, ZeroValue(hlo.shape().tuple_shapes(0)));
  return Value(std::vector<Value>{
      std::move(zeros), DeviceNumber(device.AddPendingRecv(recv)), Value()});
}

absl::StatusOr<Value> EvaluateRecvDone(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       std::vector<Value> operands) {
  DeviceContext& device = interpreter.device();
  const uint32_t number =
      operands[0].element(1).array().GetFirstElement<uint32_t>();
  TF_ASSIGN_OR_RETURN(DeviceContext::PendingRecv recv,
                      device.TakePendingRecv(hlo, number));
  Value value = operands[0].element(0);
  if (recv.from_host) {
    TF_ASSIGN_OR_RETURN(TransferQueues * queues, device.Queues(hlo));
    TF_ASSIGN_OR_RETURN(
        Literal literal,
        device.PopFromHost(hlo, queues->to_device(recv.channel.first)));
    value = Value(std::move(literal));
  } else if (recv.receives) {
    TF_ASSIGN_OR_RETURN(value, device.Receive(hlo, recv.channel));
  }
  TF_RETURN_IF_ERROR(CheckReceived(hlo, value, hlo.shape().tuple_shapes(0)));
  return WithToken(std::move(value));
}

absl::StatusOr<Value> EvaluateCopyStart(const HloInstruction& hlo,
                                        std::vector<Value> operands) {
  return Value(std::vector<Value>{operands[0], operands[0], DeviceNumber(0)});
}

}  // namespace xla
