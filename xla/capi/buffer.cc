// Buffers: their properties, and their memory in place.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/devices.h"
#include "xla/capi/handles.h"

namespace xla::capi {

extern "C" {

void tessera_buffer_destroy(tessera_buffer* buffer) {
  if (buffer != nullptr && buffer->tag.ok()) delete buffer;
}

tessera_status* tessera_buffer_get_info(const tessera_buffer* buffer,
                                        tessera_array_info* out) {
  return Call("tessera_buffer_get_info", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    std::lock_guard<std::mutex> lock(buffer->mutex);
    if (buffer->description == nullptr) {
      buffer->description = std::make_unique<const ArrayDescription>(
          buffer->buffer->shared_shape());
    }
    return buffer->description->WriteTo(out);
  });
}

int32_t tessera_buffer_device(const tessera_buffer* buffer) {
  if (buffer == nullptr || !buffer->tag.ok()) return -1;
  return buffer->buffer->device()->id();
}

tessera_status* tessera_buffer_get_dimensions(tessera_buffer* buffer,
                                              int64_t* dimensions,
                                              size_t rank) {
  return Call("tessera_buffer_get_dimensions", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    std::vector<int64_t> sizes;
    if (!buffer->buffer->IsToken()) {
      TF_ASSIGN_OR_RETURN(sizes, buffer->buffer->logical_dimensions());
    }
    if (sizes.size() != rank) {
      return ArgumentError(absl::StrCat("rank is ", rank,
                                        ", but the array has ", sizes.size(),
                                        " dimensions"));
    }
    if (rank > 0) TF_RETURN_IF_ERROR(CheckPointer(dimensions, "dimensions"));
    std::copy(sizes.begin(), sizes.end(), dimensions);
    return absl::OkStatus();
  });
}

bool tessera_buffer_is_deleted(const tessera_buffer* buffer) {
  return buffer == nullptr || !buffer->tag.ok() || buffer->buffer->IsDeleted();
}

tessera_status* tessera_buffer_delete(tessera_buffer* buffer) {
  return Call("tessera_buffer_delete", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    buffer->buffer->Delete();
    return absl::OkStatus();
  });
}

tessera_status* tessera_buffer_ready(tessera_buffer* buffer,
                                     tessera_event** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_buffer_ready", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    *out = new tessera_event(buffer->buffer->ready_event());
    return absl::OkStatus();
  });
}

tessera_status* tessera_buffer_copy_to_device(tessera_buffer* buffer,
                                              int32_t device,
                                              tessera_buffer** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_buffer_copy_to_device", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    TF_ASSIGN_OR_RETURN(PjRtDevice * found, DeviceOf(*buffer->core, device));
    TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtBuffer> copy,
                        buffer->buffer->CopyToDevice(found));
    *out = new tessera_buffer(buffer->core, std::move(copy));
    return absl::OkStatus();
  });
}

tessera_status* tessera_buffer_map(tessera_buffer* buffer, const void** data,
                                   size_t* size) {
  if (data != nullptr) *data = nullptr;
  if (size != nullptr) *size = 0;
  return Call("tessera_buffer_map", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(data, "data"));
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    if (buffer->buffer->IsToken()) {
      return ArgumentError("buffer is a token, which has no memory");
    }
    TF_RETURN_IF_ERROR(buffer->buffer->BlockHostUntilReady());
    TF_RETURN_IF_ERROR(buffer->buffer->IncreaseExternalReferenceCount());
    const auto address = buffer->buffer->OpaqueDeviceMemoryDataPointer();
    if (!address.ok()) {  // a run has taken the memory just now
      TF_RETURN_IF_ERROR(buffer->buffer->DecreaseExternalReferenceCount());
      return address.status();
    }
    *data = *address;
    if (size != nullptr) {
      *size = buffer->buffer->GetOnDeviceSizeInBytes().value_or(0);
    }
    return absl::OkStatus();
  });
}

tessera_status* tessera_buffer_unmap(tessera_buffer* buffer) {
  return Call("tessera_buffer_unmap", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    return buffer->buffer->DecreaseExternalReferenceCount();
  });
}

}  // extern "C"
}  // namespace xla::capi
