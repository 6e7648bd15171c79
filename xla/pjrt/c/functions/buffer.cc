// Buffers: their properties, their lifetime, and sharing of their memory.
// copy_buffer.cc copies them.
#include <memory>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {
namespace {

// Computed on first request. Requires buffer->mutex.
PJRT_Buffer::Details& DetailsOf(PJRT_Buffer* buffer) {
  if (buffer->details != nullptr) return *buffer->details;
  auto details = std::make_unique<PJRT_Buffer::Details>();
  const absl::Span<const bool> dynamic = buffer->buffer->is_dynamic_dimension();
  for (size_t i = 0; i < dynamic.size(); ++i) {
    if (dynamic[i]) details->dynamic_dims.push_back(i);
  }
  const Shape& shape = buffer->buffer->on_device_shape();
  if (shape.IsArray() && shape.has_layout()) {
    for (const Tile& tile : shape.layout().tiles()) {
      details->tile_dim_sizes.push_back(tile.dimensions().size());
      details->tile_dims.insert(details->tile_dims.end(),
                                tile.dimensions().begin(),
                                tile.dimensions().end());
    }
  }
  buffer->details = std::move(details);
  return *buffer->details;
}

}  // namespace

absl::Status BufferDestroy(PJRT_Buffer_Destroy_Args& args) {
  if (args.buffer == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  delete args.buffer;
  return absl::OkStatus();
}

absl::Status BufferElementType(PJRT_Buffer_ElementType_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.type = BufferTypeOf(args.buffer->buffer->element_type());
  return absl::OkStatus();
}

absl::Status BufferDimensions(PJRT_Buffer_Dimensions_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  absl::Span<const int64_t> dims;
  if (!args.buffer->buffer->IsToken()) dims = args.buffer->buffer->dimensions();
  args.dims = dims.data();
  args.num_dims = dims.size();
  return absl::OkStatus();
}

absl::Status BufferUnpaddedDimensions(
    PJRT_Buffer_UnpaddedDimensions_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  PjRtBuffer& buffer = *args.buffer->buffer;
  absl::Span<const int64_t> dims;
  if (buffer.IsToken()) {
    // A token has no dimensions.
  } else if (!buffer.has_dynamic_dimensions()) {
    dims = buffer.dimensions();
  } else {
    // Outside of the lock, since it may block.
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> logical,
                        buffer.logical_dimensions());
    std::lock_guard<std::mutex> lock(args.buffer->mutex);
    PJRT_Buffer::Details& details = DetailsOf(args.buffer);
    if (!details.has_logical_dims) {
      details.logical_dims = std::move(logical);
      details.has_logical_dims = true;
    }
    dims = details.logical_dims;
  }
  args.unpadded_dims = dims.data();
  args.num_dims = dims.size();
  return absl::OkStatus();
}

absl::Status BufferDynamicDimensionIndices(
    PJRT_Buffer_DynamicDimensionIndices_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
  const PjRtBuffer& buffer = *args.buffer->buffer;
  if (buffer.IsToken() || !buffer.has_dynamic_dimensions()) {
    return absl::OkStatus();
  }
  std::lock_guard<std::mutex> lock(args.buffer->mutex);
  const PJRT_Buffer::Details& details = DetailsOf(args.buffer);
  args.dynamic_dim_indices = details.dynamic_dims.data();
  args.num_dynamic_dims = details.dynamic_dims.size();
  return absl::OkStatus();
}

absl::Status BufferGetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  if (args.buffer->buffer->IsToken()) {
    return absl::InvalidArgumentError(
        "PJRT_Buffer_GetMemoryLayout: a token has no layout");
  }
  const Layout& layout = args.buffer->buffer->on_device_shape().layout();
  std::lock_guard<std::mutex> lock(args.buffer->mutex);
  const PJRT_Buffer::Details& details = DetailsOf(args.buffer);
  args.layout = {};
  args.layout.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE;
  args.layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  PJRT_Buffer_MemoryLayout_Tiled& tiled = args.layout.tiled;
  tiled.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE;
  tiled.minor_to_major = layout.minor_to_major().data();
  tiled.minor_to_major_size = layout.minor_to_major().size();
  tiled.tile_dims = details.tile_dims.data();
  tiled.tile_dim_sizes = details.tile_dim_sizes.data();
  tiled.num_tiles = details.tile_dim_sizes.size();
  return absl::OkStatus();
}

absl::Status BufferOnDeviceSizeInBytes(
    PJRT_Buffer_OnDeviceSizeInBytes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  TF_ASSIGN_OR_RETURN(args.on_device_size_in_bytes,
                      args.buffer->buffer->GetOnDeviceSizeInBytes());
  return absl::OkStatus();
}

absl::Status BufferDevice(PJRT_Buffer_Device_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.device = args.buffer->client->HandleOf(args.buffer->buffer->device());
  return absl::OkStatus();
}

absl::Status BufferMemory(PJRT_Buffer_Memory_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.memory =
      args.buffer->client->HandleOf(args.buffer->buffer->memory_space());
  return absl::OkStatus();
}

absl::Status BufferDelete(PJRT_Buffer_Delete_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.buffer->buffer->Delete();
  return absl::OkStatus();
}

absl::Status BufferIsDeleted(PJRT_Buffer_IsDeleted_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.is_deleted = args.buffer->buffer->IsDeleted();
  return absl::OkStatus();
}

absl::Status BufferIsOnCpu(PJRT_Buffer_IsOnCpu_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.is_on_cpu = args.buffer->buffer->IsOnCpu();
  return absl::OkStatus();
}

absl::Status BufferReadyEvent(PJRT_Buffer_ReadyEvent_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  args.event = new PJRT_Event(args.buffer->buffer->ready_event());
  return absl::OkStatus();
}

absl::Status BufferUnsafePointer(PJRT_Buffer_UnsafePointer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  TF_ASSIGN_OR_RETURN(args.buffer_pointer,
                      args.buffer->buffer->UnsafeBufferPointer());
  return absl::OkStatus();
}

absl::Status BufferIncreaseExternalReferenceCount(
    PJRT_Buffer_IncreaseExternalReferenceCount_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  return args.buffer->buffer->IncreaseExternalReferenceCount();
}

absl::Status BufferDecreaseExternalReferenceCount(
    PJRT_Buffer_DecreaseExternalReferenceCount_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  return args.buffer->buffer->DecreaseExternalReferenceCount();
}

absl::Status BufferOpaqueDeviceMemoryDataPointer(
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  TF_ASSIGN_OR_RETURN(args.device_memory_ptr,
                      args.buffer->buffer->OpaqueDeviceMemoryDataPointer());
  return absl::OkStatus();
}

}  // namespace xla::pjrt
