// Copies of literals to device memory and back, array by array.
#include "xla/client/buffers/buffer_transfer.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

absl::Status CheckMemory(const ShapedBuffer& buffer, const ShapeIndex& index,
                         const Shape& shape, int64_t bytes) {
  const se::DeviceMemoryBase& memory = buffer.buffer(index);
  if (bytes == 0 ||
      (!memory.is_null() && memory.size() >= static_cast<uint64_t>(bytes))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "buffer ", index.ToString(), " of ", buffer.on_device_shape().ToString(),
      memory.is_null() ? " has no memory: it was donated, released or never set"
                       : absl::StrCat(" has ", memory.size(), " bytes"),
      "; ", shape.ToString(), " needs ", bytes));
}

}  // namespace

absl::StatusOr<ScopedShapedBuffer> CopyToDevice(
    const LiteralSlice& literal, se::DeviceMemoryAllocator* allocator,
    int device_ordinal) {
  ScopedShapedBuffer buffer(literal.shape(), allocator, device_ordinal);
  TF_RETURN_IF_ERROR(ShapeUtil::ForEachSubshapeWithStatus(
      literal.shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (!shape.IsArray()) return absl::OkStatus();
        TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
        TF_ASSIGN_OR_RETURN(se::OwningDeviceMemory memory,
                            allocator->Allocate(device_ordinal, bytes));
        StoreArray(literal, index, static_cast<char*>((*memory).opaque()));
        buffer.set_buffer(std::move(memory), index);
        return absl::OkStatus();
      }));
  return buffer;
}

absl::StatusOr<Literal> CopyToHost(const ShapedBuffer& buffer) {
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(buffer.on_device_shape()));
  TF_RETURN_IF_ERROR(ShapeUtil::ForEachSubshapeWithStatus(
      literal.shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (!shape.IsArray()) return absl::OkStatus();
        TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
        TF_RETURN_IF_ERROR(CheckMemory(buffer, index, shape, bytes));
        return LoadArray(
            static_cast<const char*>(buffer.buffer(index).opaque()), index,
            literal);
      }));
  return literal;
}

}  // namespace xla
