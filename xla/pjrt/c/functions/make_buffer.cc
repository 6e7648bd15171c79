// Makes buffers: from host memory, without contents, over memory with other
// owners, and as aliases of later buffers.
#include <functional>
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

// The memory that a caller selects: `memory`, else the default of `device`.
absl::StatusOr<PjRtMemorySpace*> MemorySpace(const PJRT_Client* client,
                                             PJRT_Memory* memory,
                                             PJRT_Device* device) {
  if (memory != nullptr) {
    TF_RETURN_IF_ERROR(CheckHandle(memory, "memory"));
    if (Impl(memory)->client != client) {
      return ArgumentError("memory belongs to another client");
    }
    return Impl(memory)->memory_space;
  }
  if (device == nullptr)
    return ArgumentError("device and memory are both null");
  TF_RETURN_IF_ERROR(CheckHandle(device, "device"));
  if (device->client != client) {
    return ArgumentError("device belongs to another client");
  }
  return device->device->default_memory_space();
}

absl::StatusOr<PjRtClient::HostBufferSemantics> Semantics(
    PJRT_HostBufferSemantics semantics) {
  switch (semantics) {
    case PJRT_HostBufferSemantics_kImmutableOnlyDuringCall:
      return PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall;
    case PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes:
      return PjRtClient::HostBufferSemantics::kImmutableUntilTransferCompletes;
    case PJRT_HostBufferSemantics_kImmutableZeroCopy:
      return PjRtClient::HostBufferSemantics::kImmutableZeroCopy;
    case PJRT_HostBufferSemantics_kMutableZeroCopy:
      return PjRtClient::HostBufferSemantics::kMutableZeroCopy;
  }
  return ArgumentError(absl::StrCat(
      "host_buffer_semantics ", static_cast<int>(semantics), " is not known"));
}

}  // namespace

absl::Status ClientBufferFromHostBuffer(
    PJRT_Client_BufferFromHostBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      MemorySpace(args.client, args.memory, args.device));
  TF_ASSIGN_OR_RETURN(const PrimitiveType type, PrimitiveTypeOf(args.type));
  TF_ASSIGN_OR_RETURN(absl::Span<const int64_t> dims,
                      ArrayArgument(args.dims, args.num_dims, "dims"));
  std::optional<absl::Span<const int64_t>> strides;
  if (args.num_byte_strides != 0) {
    TF_ASSIGN_OR_RETURN(strides,
                        ArrayArgument(args.byte_strides, args.num_byte_strides,
                                      "byte_strides"));
    if (strides->size() != dims.size()) {
      return ArgumentError("byte_strides and dims differ in size");
    }
  }
  TF_ASSIGN_OR_RETURN(const PjRtClient::HostBufferSemantics semantics,
                      Semantics(args.host_buffer_semantics));
  TF_ASSIGN_OR_RETURN(const std::optional<Layout> layout,
                      ReadLayout(args.device_layout, type, dims));
  // Null data is valid if there are no elements, which the client checks.
  if (args.data == nullptr && type != TOKEN) {
    TF_ASSIGN_OR_RETURN(const Shape shape, ReadShape(args.type, args.dims,
                                                     args.num_dims, nullptr));
    if (ElementsBytes(shape) > 0) return NullError("data");
  }
  const Event done = Event::Pending();
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtBuffer> buffer,
      args.client->client->BufferFromHostBuffer(
          args.data, type, dims, strides, semantics, [done] { done.Set(); },
          memory_space, layout.has_value() ? &*layout : nullptr));
  args.done_with_host_buffer = new PJRT_Event(done);
  args.buffer = new PJRT_Buffer(args.client, std::move(buffer));
  return absl::OkStatus();
}

absl::Status ClientCreateUninitializedBuffer(
    PJRT_Client_CreateUninitializedBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      MemorySpace(args.client, args.memory, args.device));
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      ReadShape(args.shape_element_type, args.shape_dims,
                                args.shape_num_dims, args.shape_layout));
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtBuffer> buffer,
      args.client->client->CreateUninitializedBuffer(shape, memory_space));
  args.buffer = new PJRT_Buffer(args.client, std::move(buffer));
  return absl::OkStatus();
}

absl::Status ClientCreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      MemorySpace(args.client, args.memory, nullptr));
  TF_ASSIGN_OR_RETURN(const ReportedError error,
                      ErrorArgument(args.error_code, args.error_message,
                                    args.error_message_size));
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      ReadShape(args.shape_element_type, args.shape_dims,
                                args.shape_num_dims, args.shape_layout));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtBuffer> buffer,
                      args.client->client->CreateErrorBuffer(
                          error.status, shape, memory_space));
  args.buffer = new PJRT_Buffer(args.client, std::move(buffer));
  return absl::OkStatus();
}

absl::Status ClientCreateViewOfDeviceBuffer(
    PJRT_Client_CreateViewOfDeviceBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  PJRT_Memory* memory =
      HasMember(args, PJRT_Client_CreateViewOfDeviceBuffer_Args_STRUCT_SIZE)
          ? args.memory
          : nullptr;
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      MemorySpace(args.client, memory, args.device));
  TF_ASSIGN_OR_RETURN(const Shape shape, ReadShape(args.element_type, args.dims,
                                                   args.num_dims, args.layout));
  if (args.device_buffer_ptr == nullptr && ElementsBytes(shape) > 0) {
    return NullError("device_buffer_ptr");
  }
  std::function<void()> on_delete;
  if (args.on_delete_callback != nullptr) {
    on_delete =
        [callback = args.on_delete_callback, data = args.device_buffer_ptr,
         user_arg = args.on_delete_callback_arg] { callback(data, user_arg); };
  }
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtBuffer> buffer,
      args.client->client->CreateViewOfDeviceBuffer(
          args.device_buffer_ptr, shape, memory_space, std::move(on_delete)));
  args.buffer = new PJRT_Buffer(args.client, std::move(buffer));
  return absl::OkStatus();
}

absl::Status ClientCreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      MemorySpace(args.client, args.memory, nullptr));
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      ReadShape(args.shape_element_type, args.shape_dims,
                                args.shape_num_dims, args.shape_layout));
  TF_ASSIGN_OR_RETURN(
      auto alias, args.client->client->CreateAliasBuffer(shape, memory_space));
  auto callback = std::make_unique<PJRT_FulfillAliasBufferCallback>();
  callback->callback = std::move(alias.second);
  args.alias_buffer = new PJRT_Buffer(args.client, std::move(alias.first));
  args.fulfill_alias_buffer_cb = callback.release();
  return absl::OkStatus();
}

absl::Status ClientFulfillAliasBuffer(
    PJRT_Client_FulfillAliasBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_RETURN_IF_ERROR(
      CheckHandle(args.fulfill_alias_buffer_cb, "fulfill_alias_buffer_cb"));
  absl::StatusOr<PjRtBuffer*> value = absl::UnknownError("");
  if (args.status_code == PJRT_Error_Code_OK) {
    TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
    value = args.buffer->buffer.get();
  } else {
    TF_ASSIGN_OR_RETURN(const ReportedError error,
                        ErrorArgument(args.status_code, args.error_message,
                                      args.error_message_size));
    value = error.status;
  }
  const std::unique_ptr<PJRT_FulfillAliasBufferCallback> callback(
      args.fulfill_alias_buffer_cb);
  return std::move(callback->callback)(value);
}

absl::Status ClientCreateBuffersForAsyncHostToDevice(
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      MemorySpace(args.client, args.memory, nullptr));
  TF_ASSIGN_OR_RETURN(
      absl::Span<const PJRT_ShapeSpec> specs,
      ArrayArgument(args.shape_specs, args.num_shape_specs, "shape_specs"));
  TF_ASSIGN_OR_RETURN(absl::Span<PJRT_Buffer_MemoryLayout* const> layouts,
                      ArrayArgument(args.device_layouts,
                                    args.num_device_layouts, "device_layouts"));
  if (!layouts.empty() && layouts.size() != specs.size()) {
    return ArgumentError("device_layouts and shape_specs differ in size");
  }
  std::vector<Shape> shapes;
  for (size_t i = 0; i < specs.size(); ++i) {
    TF_ASSIGN_OR_RETURN(
        Shape shape,
        ReadShape(specs[i].element_type, specs[i].dims, specs[i].num_dims,
                  layouts.empty() ? nullptr : layouts[i]));
    shapes.push_back(std::move(shape));
  }
  auto handle = std::make_unique<PJRT_AsyncHostToDeviceTransferManager>();
  handle->client = args.client;
  TF_ASSIGN_OR_RETURN(handle->manager,
                      args.client->client->CreateBuffersForAsyncHostToDevice(
                          shapes, memory_space));
  args.transfer_manager = handle.release();
  return absl::OkStatus();
}

}  // namespace xla::pjrt
