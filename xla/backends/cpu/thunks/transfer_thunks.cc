// Moves data through queues of the host and channels between devices.
#include "xla/backends/cpu/thunks/transfer_thunks.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/distributed/process_run.h"
#include "xla/runtime/transfer_queues.h"

namespace xla::cpu {
namespace {

absl::StatusOr<TransferQueues*> QueuesOf(const DeviceRun& run,
                                         const Thunk& thunk) {
  if (run.queues() != nullptr) return run.queues();
  return absl::FailedPreconditionError(absl::StrCat(
      thunk.name(), ": ", thunk.kind(), " needs the host, but device ",
      run.number(), " has no queues to it"));
}

absl::StatusOr<Literal> PopFromHost(const DeviceRun& run, const Thunk& thunk,
                                    TransferQueue& queue,
                                    absl::Duration timeout) {
  absl::StatusOr<Literal> literal =
      queue.Pop(absl::ZeroDuration(), thunk.name());
  if (literal.ok() || timeout <= absl::ZeroDuration()) return literal;
  HostWait wait(run.group().scheduler());
  return queue.Pop(timeout, thunk.name());
}

absl::Status CheckReceived(absl::string_view name, const Shape& received,
                           const Shape& expected) {
  if (Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(received,
                                                             expected)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected ", ShapeUtil::HumanString(expected),
                   ", received ", ShapeUtil::HumanString(received)));
}

void WriteLeaf(const Literal& literal, const ShapeIndex& index,
               const Shape& shape, char* memory) {
  const int64_t bytes = ElementsBytes(shape);
  if (bytes > 0) std::memcpy(memory, literal.untyped_data(index), bytes);
  if (!shape.has_dynamic_dimensions()) return;
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    sizes.push_back(literal.GetDynamicSize(i, index));
  }
  WriteDynamicSizes(sizes, shape, memory);
}

void FillZeros(const DeviceRun& run, const std::vector<Slice>& slices) {
  for (const Slice& slice : slices) {
    if (slice.size > 0) std::memset(run.At(slice), 0, slice.size);
  }
}

int64_t Padded(int64_t bytes) { return RoundUpTo(bytes, 64); }

// Return the number of this device as source-target pairs count devices, and
// the device with such a number.
int64_t PairId(const DeviceRun& run) {
  return run.group().num_partitions() > 1 ? run.partition_id()
                                          : run.replica_id();
}
int64_t DeviceOfPairId(const DeviceRun& run, int64_t id) {
  const int64_t partitions = run.group().num_partitions();
  return partitions > 1 ? run.replica_id() * partitions + id : id;
}

bool IsElsewhere(const DeviceRun& run, int64_t device) {
  const distributed::ProcessRun* processes = run.options().processes;
  return processes != nullptr && !processes->is_local(device);
}

// The description of the next message from device `source` to `target`, of
// which one is in another process; the same on both sides.
distributed::Operation NextMessage(const DeviceRun& run, int64_t channel,
                                   int64_t source, int64_t target,
                                   int64_t bytes) {
  return run.options().processes->NextOperation(
      "send and recv", "", absl::StrCat("devices ", source, " to ", target),
      channel, bytes, {source, target});
}

// The pending recvs of a device, by the number in their context.
struct PendingRecvs : DeviceRun::ThunkState {
  struct Recv {
    bool receives = true;  // false: nobody sends to this device
    bool with_host = false;
    int64_t from_elsewhere = -1;  // a device of another process that sends
    RunGroup::ChannelKey channel;
  };
  std::map<uint32_t, Recv> recvs;
  uint32_t next = 1;
};

PendingRecvs& PendingOf(DeviceRun& run) {
  static const char owner = 0;
  return run.StateOf<PendingRecvs>(&owner);
}

// Waits for the value that a device of another process sends.
absl::Status ReceiveFromElsewhere(DeviceRun& run, int64_t channel,
                                  int64_t source,
                                  absl::Span<const Slice> leaves) {
  int64_t bytes = 0;
  for (const Slice& leaf : leaves) bytes += Padded(leaf.size);
  TF_ASSIGN_OR_RETURN(const MemoryChunk data, MemoryChunk::Allocate(bytes));
  distributed::ProcessRun& processes = *run.options().processes;
  const distributed::Operation message =
      NextMessage(run, channel, source, run.number(), bytes);
  {
    const HostWait wait(run.group().scheduler());
    TF_RETURN_IF_ERROR(
        processes.Receive(message, processes.process_of(source),
                          {data.data(), static_cast<size_t>(bytes)}));
  }
  const char* from = data.data();
  for (const Slice& leaf : leaves) {
    CopyBytes(run.runner(), from, run.At(leaf), leaf.size);
    from += Padded(leaf.size);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Literal> ReadValue(const DeviceRun& run,
                                  const DeviceValue& value) {
  TF_ASSIGN_OR_RETURN(Literal literal,
                      Literal::Make(DenseLiteralShape(value.shape)));
  size_t next = 0;
  TF_RETURN_IF_ERROR(ShapeUtil::ForEachSubshapeWithStatus(
      literal.shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (shape.IsTuple()) return absl::OkStatus();
        const Slice& leaf = value.leaves[next++];
        if (!shape.IsArray()) return absl::OkStatus();
        return LoadArray(run.At(leaf), shape, index, literal);
      }));
  return literal;
}

absl::Status WriteValue(absl::string_view name, const Literal& literal,
                        const DeviceRun& run, const DeviceValue& value) {
  TF_RETURN_IF_ERROR(CheckReceived(name, literal.shape(), value.shape));
  const bool as_is =
      LayoutUtil::LayoutsInShapesEqual(literal.shape(), value.shape);
  const Literal relaid = as_is ? Literal() : literal.Relayout(value.shape);
  const Literal& from = as_is ? literal : relaid;
  size_t next = 0;
  ShapeUtil::ForEachSubshape(value.shape,
                             [&](const Shape& shape, const ShapeIndex& index) {
                               if (shape.IsTuple()) return;
                               const Slice& leaf = value.leaves[next++];
                               if (shape.IsArray())
                                 WriteLeaf(from, index, shape, run.At(leaf));
                             });
  return absl::OkStatus();
}

absl::StatusOr<ThunkResult> InfeedThunk::Run(DeviceRun& run,
                                             int64_t here) const {
  // The empty tuple takes nothing from the queue. Source: section "Infeed".
  if (ShapeUtil::IsEmptyTuple(result_.shape)) return ThunkResult{here + 1};
  TF_ASSIGN_OR_RETURN(TransferQueues * queues, QueuesOf(run, *this));
  TF_ASSIGN_OR_RETURN(
      const Literal literal,
      PopFromHost(run, *this, queues->infeed(), queues->device_timeout()));
  TF_RETURN_IF_ERROR(WriteValue(name(), literal, run, result_));
  return ThunkResult{here + 1};
}

absl::StatusOr<ThunkResult> OutfeedThunk::Run(DeviceRun& run,
                                              int64_t here) const {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues, QueuesOf(run, *this));
  TF_ASSIGN_OR_RETURN(Literal literal, ReadValue(run, operand_));
  if (ShapeUtil::IsInitialized(outfeed_shape_) &&
      LayoutUtil::HasLayout(outfeed_shape_)) {
    literal = literal.Relayout(outfeed_shape_);
  }
  queues->outfeed().Push(std::move(literal));
  return ThunkResult{here + 1};
}

BufferUses SendThunk::buffer_uses() const {
  return BufferUses().Read(operand_.leaves).Write(result_).Write(context_);
}

absl::Status SendThunk::SendToDevices(DeviceRun& run) const {
  int64_t bytes = 0;
  for (const Slice& leaf : operand_.leaves) bytes += Padded(leaf.size);
  RunGroup::Message message;
  message.shape = &operand_.shape;
  TF_ASSIGN_OR_RETURN(message.data, MemoryChunk::Allocate(bytes));
  char* to = message.data.data();
  for (const Slice& leaf : operand_.leaves) {
    CopyBytes(run.runner(), run.At(leaf), to, leaf.size);
    to += Padded(leaf.size);
  }
  if (!site_.pairs.has_value()) {
    run.group().Send({site_.channel, -1}, std::move(message));
    return absl::OkStatus();
  }
  for (const auto& [source, target] : *site_.pairs) {
    if (source != PairId(run)) continue;
    const int64_t device = DeviceOfPairId(run, target);
    if (!IsElsewhere(run, device)) {
      run.group().Send({site_.channel, device}, message);
      continue;
    }
    distributed::ProcessRun& processes = *run.options().processes;
    TF_RETURN_IF_ERROR(processes.Send(
        NextMessage(run, site_.channel, run.number(), device, bytes),
        processes.process_of(device), message.data));
  }
  return absl::OkStatus();
}

absl::StatusOr<ThunkResult> SendThunk::Run(DeviceRun& run, int64_t here) const {
  if (site_.with_host) {
    TF_ASSIGN_OR_RETURN(TransferQueues * queues, QueuesOf(run, *this));
    TF_ASSIGN_OR_RETURN(Literal literal, ReadValue(run, operand_));
    queues->to_host(site_.channel).Push(std::move(literal));
  } else {
    TF_RETURN_IF_ERROR(SendToDevices(run));
  }
  for (size_t i = 0; i < result_.size(); ++i) {
    CopyBytes(run.runner(), run.At(operand_.leaves[i]), run.At(result_[i]),
              result_[i].size);
  }
  FillZeros(run, {context_});
  return ThunkResult{here + 1};
}

absl::StatusOr<ThunkResult> RecvThunk::Run(DeviceRun& run, int64_t here) const {
  PendingRecvs::Recv recv;
  recv.with_host = site_.with_host;
  recv.channel = {site_.channel, -1};
  if (!recv.with_host && site_.pairs.has_value()) {
    recv.channel.second = run.number();
    recv.receives = false;
    for (const auto& [source, target] : *site_.pairs) {
      if (target != PairId(run)) continue;
      recv.receives = true;
      const int64_t device = DeviceOfPairId(run, source);
      if (IsElsewhere(run, device)) recv.from_elsewhere = device;
    }
  }
  PendingRecvs& pending = PendingOf(run);
  while (!pending.recvs.emplace(pending.next, recv).second) ++pending.next;
  FillZeros(run, result_);
  if (context_.allocation >= 0) {
    std::memcpy(run.At(context_), &pending.next, sizeof(pending.next));
  }
  ++pending.next;
  return ThunkResult{here + 1};
}

absl::StatusOr<ThunkResult> RecvDoneThunk::Run(DeviceRun& run,
                                               int64_t here) const {
  PendingRecvs& pending = PendingOf(run);
  uint32_t number = 0;
  std::memcpy(&number, run.At(context_), sizeof(number));
  const auto it = pending.recvs.find(number);
  if (it == pending.recvs.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name(), ": the operand does not come from a recv under way"));
  }
  const PendingRecvs::Recv recv = it->second;
  if (recv.with_host) {
    TF_ASSIGN_OR_RETURN(TransferQueues * queues, QueuesOf(run, *this));
    TF_ASSIGN_OR_RETURN(
        const Literal literal,
        PopFromHost(run, *this, queues->to_device(recv.channel.first),
                    queues->device_timeout()));
    TF_RETURN_IF_ERROR(WriteValue(name(), literal, run, result_));
  } else if (recv.from_elsewhere >= 0) {
    TF_RETURN_IF_ERROR(ReceiveFromElsewhere(
        run, recv.channel.first, recv.from_elsewhere, result_.leaves));
  } else if (recv.receives) {
    const std::optional<RunGroup::Message> message =
        run.group().Receive(recv.channel, run.number());
    // A resumed device looks again.
    if (!message.has_value()) return ThunkResult{here, /*suspended=*/true};
    TF_RETURN_IF_ERROR(CheckReceived(name(), *message->shape, result_.shape));
    const char* from = message->data.data();
    for (const Slice& leaf : result_.leaves) {
      CopyBytes(run.runner(), from, run.At(leaf), leaf.size);
      from += Padded(leaf.size);
    }
  } else {
    FillZeros(run, result_.leaves);
  }
  pending.recvs.erase(it);
  return ThunkResult{here + 1};
}

std::string RecvDoneThunk::WaitsFor(const DeviceRun& run) const {
  return absl::StrCat(name(), " (channel ", channel_, ")");
}

}  // namespace xla::cpu
