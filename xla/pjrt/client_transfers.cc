// PjRtClient: arrays that go to and come from devices of other processes.
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/array_transfer.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

// The arrays of one call, and their memory until they are over.
struct ArraysUnderWay {
  ~ArraysUnderWay() {
    for (const Event& event : events) event.Set(absl::CancelledError("unused"));
  }

  // Runs `transfer` (SendArrays or ReceiveArrays), on a worker.
  template <typename Function>
  void Run(Function transfer) {
    const BlockingSection section;
    std::vector<bool> over(events.size());
    const absl::Status status =
        transfer(*communicator, transfers, [&](size_t i) {
          chunks[i] = MemoryChunk();
          over[i] = true;
          events[i].Set();
        });
    for (size_t i = 0; i < events.size(); ++i) {
      if (!over[i]) events[i].Set(status);
    }
  }

  std::shared_ptr<distributed::Communicator> communicator;
  std::vector<distributed::ArrayTransfer> transfers;
  std::vector<MemoryChunk> chunks;
  std::vector<Event> events;
  std::vector<Event> definitions;  // of what is sent
};

// Runs `task` on the client's pool.
void ScheduleIfOpen(const std::shared_ptr<PjRtClient::Gate>& gate,
                    ArraysUnderWay& arrays, ThreadPool::Task task) {
  std::lock_guard<std::recursive_mutex> lock(gate->mutex);
  if (gate->pool != nullptr) {
    gate->pool->Schedule(std::move(task));
    return;
  }
  for (const Event& event : arrays.events) {
    event.Set(absl::CancelledError(
        "the client was destroyed before the array was defined"));
  }
}

// The process of a device that is not of this one.
absl::StatusOr<int> OtherProcess(const PjRtClient& client,
                                 PjRtGlobalDeviceId id) {
  TF_ASSIGN_OR_RETURN(const PjRtDevice* device, client.LookupDevice(id));
  if (!device->IsAddressable()) return device->process_index();
  return absl::InvalidArgumentError(absl::StrCat(
      "device ", id.value(),
      " belongs to this process: only transfers between processes are possible "
      "here, so copy the array instead"));
}

absl::Status CheckTransfers(const PjRtClient& client, size_t arrays,
                            size_t devices, size_t keys) {
  if (arrays != devices || arrays != keys) {
    return absl::InvalidArgumentError(
        absl::StrCat("transfers of ", arrays, " arrays have ", devices,
                     " devices and ", keys, " keys"));
  }
  if (client.communicator() == nullptr) {
    return absl::FailedPreconditionError(
        "transfers between processes need a client of several");
  }
  return client.communicator()->status();
}

}  // namespace

absl::StatusOr<std::vector<Future<>>> PjRtClient::CrossHostSendBuffers(
    absl::Span<PjRtBuffer* const> buffers,
    absl::Span<const PjRtGlobalDeviceId> dst_global_device_ids,
    absl::Span<const CrossHostTransferKey> transfer_keys) {
  TF_RETURN_IF_ERROR(CheckTransfers(*this, buffers.size(),
                                    dst_global_device_ids.size(),
                                    transfer_keys.size()));
  auto arrays = std::make_shared<ArraysUnderWay>();
  arrays->communicator = communicator_;
  for (size_t i = 0; i < buffers.size(); ++i) {
    PjRtBuffer& buffer = *buffers[i];
    if (buffer.client() != this || buffer.IsToken()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "array ", i, " to send is a token, or one of another client"));
    }
    distributed::ArrayTransfer transfer;
    TF_ASSIGN_OR_RETURN(transfer.process,
                        OtherProcess(*this, dst_global_device_ids[i]));
    transfer.key = transfer_keys[i].value();
    transfer.source = buffer.device()->id();
    transfer.target = dst_global_device_ids[i].value();
    transfer.shape = buffer.on_device_shape().ToString(true);
    TF_ASSIGN_OR_RETURN(const int64_t bytes,
                        DeviceBufferBytes(buffer.on_device_shape()));
    const Event done = Event::Pending();
    PjRtBuffer::Use use;
    TF_RETURN_IF_ERROR(buffer.AcquireForRead(done, &use));
    transfer.data = {use.chunk.data(), static_cast<size_t>(bytes)};
    arrays->transfers.push_back(std::move(transfer));
    arrays->chunks.push_back(std::move(use.chunk));
    arrays->definitions.push_back(std::move(use.definition));
    arrays->events.push_back(done);
  }
  std::vector<Future<>> futures;
  for (const Event& event : arrays->events) futures.emplace_back(event);
  const Event defined = Event::AfterAll(arrays->definitions);
  defined.OnReady([arrays, gate = gate_](const absl::Status& status) {
    ScheduleIfOpen(gate, *arrays, [arrays, status] {
      if (status.ok()) return arrays->Run(distributed::SendArrays);
      // The receivers would wait for them.
      const absl::Status failure = arrays->communicator->Fail(
          AddStatus(status, "an array to send to another process"));
      for (const Event& event : arrays->events) event.Set(failure);
    });
  });
  return futures;
}

absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>>
PjRtClient::CrossHostReceiveBuffers(
    PjRtDevice* device, absl::Span<const Shape> shapes,
    absl::Span<const PjRtGlobalDeviceId> src_global_device_ids,
    absl::Span<const CrossHostTransferKey> transfer_keys) {
  TF_RETURN_IF_ERROR(CheckTransfers(*this, shapes.size(),
                                    src_global_device_ids.size(),
                                    transfer_keys.size()));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * space, device->default_memory_space());
  auto arrays = std::make_shared<ArraysUnderWay>();
  arrays->communicator = communicator_;
  std::vector<std::unique_ptr<PjRtBuffer>> buffers;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].IsArray()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "only arrays come from other processes, not ", shapes[i].ToString()));
    }
    distributed::ArrayTransfer transfer;
    TF_ASSIGN_OR_RETURN(transfer.process,
                        OtherProcess(*this, src_global_device_ids[i]));
    const Event definition = Event::Pending();
    MemoryChunk chunk;
    TF_ASSIGN_OR_RETURN(
        std::unique_ptr<PjRtBuffer> buffer,
        CreatePendingBuffer(shapes[i], space, definition, &chunk));
    transfer.key = transfer_keys[i].value();
    transfer.source = src_global_device_ids[i].value();
    transfer.target = device->id();
    transfer.shape = buffer->on_device_shape().ToString(true);
    TF_ASSIGN_OR_RETURN(const int64_t bytes,
                        DeviceBufferBytes(buffer->on_device_shape()));
    transfer.data = {chunk.data(), static_cast<size_t>(bytes)};
    arrays->transfers.push_back(std::move(transfer));
    arrays->chunks.push_back(std::move(chunk));
    arrays->events.push_back(definition);
    buffers.push_back(std::move(buffer));
  }
  ScheduleIfOpen(gate_, *arrays,
                 [arrays] { arrays->Run(distributed::ReceiveArrays); });
  return buffers;
}

}  // namespace xla
