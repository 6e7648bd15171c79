// Copies of buffers to the host and to other memories, and buffers that take
// over the memory of another one.
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {
namespace {

// The status that a caller reports to one of our callbacks.
template <typename CallbackArgs>
absl::Status ReportedStatus(const CallbackArgs& args) {
  if (args.error_code == PJRT_Error_Code_OK) return absl::OkStatus();
  const absl::StatusOr<ReportedError> error = ErrorArgument(
      args.error_code, args.error_message, args.error_message_size);
  return error.ok() ? error->status : error.status();
}

// A copy of raw bytes that waits for its destination.
struct PendingCopy {
  std::unique_ptr<PjRtBuffer::ExternalReference> source;
  Event ready;  // of the source
  int64_t offset;
  int64_t size;
  Event done;
};

void RunPendingCopy(PJRT_Buffer_CopyRawToHostFuture_Callback_Args* args) {
  if (args == nullptr || args->callback_data == nullptr) return;
  auto copy = std::unique_ptr<PendingCopy>(
      static_cast<PendingCopy*>(args->callback_data));
  absl::Status status = ReportedStatus(*args);
  if (status.ok() && args->dst == nullptr && copy->size > 0) {
    status = NullError("dst");
  }
  if (!status.ok()) {
    copy->done.Set(std::move(status));
    return;
  }
  const Event ready = copy->ready;
  ready.OnReady(
      [copy = std::move(copy), dst = args->dst](const absl::Status& defined) {
        if (defined.ok() && copy->size > 0) {
          const char* data = static_cast<const char*>(
              copy->source->OpaqueDeviceMemoryDataPointer());
          std::memcpy(dst, data + copy->offset, copy->size);
        }
        copy->done.Set(defined);
      });
}

}  // namespace

absl::Status BufferToHostBuffer(PJRT_Buffer_ToHostBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.src, "src"));
  PjRtBuffer& buffer = *args.src->buffer;
  std::optional<Layout> layout;
  Shape host = DenseLiteralShape(buffer.on_device_shape());
  if (!buffer.IsToken()) {
    TF_ASSIGN_OR_RETURN(layout,
                        ReadLayout(args.host_layout, buffer.element_type(),
                                   buffer.dimensions()));
    if (layout.has_value()) *host.mutable_layout() = *layout;
  }
  const size_t needed = ElementsBytes(HostShape(host));
  if (args.dst == nullptr) {
    args.dst_size = needed;
    args.event = nullptr;
    return absl::OkStatus();
  }
  if (args.dst_size < needed) {
    return ArgumentError(absl::StrCat("dst_size is ", args.dst_size,
                                      ", the array needs ", needed, " bytes"));
  }
  const Future<> done =
      buffer.ToHostMemory(args.dst, static_cast<int64_t>(args.dst_size),
                          layout.has_value() ? &*layout : nullptr);
  args.event = new PJRT_Event(done.event());
  return absl::OkStatus();
}

absl::Status BufferCopyRawToHost(PJRT_Buffer_CopyRawToHost_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  if (args.transfer_size != 0) {
    TF_RETURN_IF_ERROR(CheckPointer(static_cast<const char*>(args.dst), "dst"));
  }
  const Future<> done = args.buffer->buffer->CopyRawToHost(
      args.dst, args.offset, args.transfer_size);
  args.event = new PJRT_Event(done.event());
  return absl::OkStatus();
}

absl::Status BufferCopyRawToHostFuture(
    PJRT_Buffer_CopyRawToHostFuture_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  PjRtBuffer& buffer = *args.buffer->buffer;
  TF_ASSIGN_OR_RETURN(const size_t size, buffer.GetOnDeviceSizeInBytes());
  const int64_t bytes = static_cast<int64_t>(size);
  if (args.offset < 0 || args.offset > bytes || args.transfer_size < 0 ||
      args.transfer_size > bytes - args.offset) {
    return ArgumentError(
        absl::StrCat("bytes from ", args.offset, " on, ", args.transfer_size,
                     " of them, are not within the ", bytes, " of the buffer"));
  }
  auto copy = std::make_unique<PendingCopy>();
  copy->ready = buffer.ready_event();
  TF_ASSIGN_OR_RETURN(copy->source, buffer.AcquireExternalReference());
  copy->offset = args.offset;
  copy->size = args.transfer_size;
  copy->done = Event::Pending();
  args.event = new PJRT_Event(copy->done);
  args.callback_data = copy.release();
  args.future_ready_callback = RunPendingCopy;
  return absl::OkStatus();
}

absl::Status BufferCopyToDevice(PJRT_Buffer_CopyToDevice_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  TF_RETURN_IF_ERROR(CheckHandle(args.dst_device, "dst_device"));
  if (args.dst_device->client != args.buffer->client) {
    return ArgumentError("dst_device belongs to another client");
  }
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * destination,
                      args.dst_device->device->default_memory_space());
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtBuffer> copy,
                      args.buffer->buffer->CopyToMemorySpace(destination));
  args.dst_buffer = new PJRT_Buffer(args.buffer->client, std::move(copy));
  return absl::OkStatus();
}

absl::Status BufferCopyToMemory(PJRT_Buffer_CopyToMemory_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  TF_RETURN_IF_ERROR(CheckHandle(args.dst_memory, "dst_memory"));
  if (Impl(args.dst_memory)->client != args.buffer->client) {
    return ArgumentError("dst_memory belongs to another client");
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtBuffer> copy,
                      args.buffer->buffer->CopyToMemorySpace(
                          Impl(args.dst_memory)->memory_space));
  args.dst_buffer = new PJRT_Buffer(args.buffer->client, std::move(copy));
  return absl::OkStatus();
}

absl::Status BufferDonateWithControlDependency(
    PJRT_Buffer_DonateWithControlDependency_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  auto promise = std::make_unique<Promise<>>();
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtBuffer> buffer,
      args.buffer->buffer->DonateWithControlDependency(promise->future()));
  args.out_buffer = new PJRT_Buffer(args.buffer->client, std::move(buffer));
  args.callback_data = promise.release();
  args.dependency_ready_callback =
      [](PJRT_Buffer_DonateWithControlDependency_Callback_Args* reported) {
        if (reported == nullptr || reported->callback_data == nullptr) return;
        const std::unique_ptr<Promise<>> dependency(
            static_cast<Promise<>*>(reported->callback_data));
        dependency->Set(ReportedStatus(*reported));
      };
  return absl::OkStatus();
}

absl::Status BufferBitcast(PJRT_Buffer_Bitcast_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  TF_ASSIGN_OR_RETURN(const PrimitiveType type,
                      PrimitiveTypeOf(args.element_type));
  TF_ASSIGN_OR_RETURN(absl::Span<const int64_t> dims,
                      ArrayArgument(args.dims, args.num_dims, "dims"));
  TF_ASSIGN_OR_RETURN(const std::optional<Layout> layout,
                      ReadLayout(args.device_layout, type, dims));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtBuffer> buffer,
                      args.buffer->buffer->Bitcast(
                          type, dims, layout.has_value() ? &*layout : nullptr));
  args.out_buffer = new PJRT_Buffer(args.buffer->client, std::move(buffer));
  return absl::OkStatus();
}

}  // namespace xla::pjrt
