// Byte copies, and the sizes behind arrays of dynamic dimensions.
#include "xla/client/buffers/buffer_transfer.h"

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Bytes of the sizes of the dimensions.
int64_t SizesBytes(const Shape& shape) {
  return shape.is_static() ? 0 : shape.rank() * sizeof(int32_t);
}

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

absl::Status ReadSizes(const char* sizes, const Shape& shape,
                       const ShapeIndex& index, Literal& literal) {
  for (int i = 0; i < shape.rank(); ++i) {
    if (!shape.is_dynamic_dimension(i)) continue;
    int32_t size;
    std::memcpy(&size, sizes + i * sizeof(size), sizeof(size));
    if (size < 0 || size > shape.dimensions(i)) {
      return absl::InvalidArgumentError(
          absl::StrCat("buffer ", index.ToString(), " of ", shape.ToString(),
                       " says that dimension ", i, " has size ", size));
    }
    literal.SetDynamicSize(i, index, size);
  }
  return absl::OkStatus();
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
        const int64_t data_bytes = literal.size_bytes(index);
        const int64_t bytes = data_bytes + SizesBytes(shape);
        TF_ASSIGN_OR_RETURN(se::OwningDeviceMemory memory,
                            allocator->Allocate(device_ordinal, bytes));
        char* to = static_cast<char*>((*memory).opaque());
        if (data_bytes > 0) {
          std::memcpy(to, literal.untyped_data(index), data_bytes);
        }
        for (int i = 0; SizesBytes(shape) > 0 && i < shape.rank(); ++i) {
          const int32_t size = literal.GetDynamicSize(i, index);
          std::memcpy(to + data_bytes + i * sizeof(size), &size, sizeof(size));
        }
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
        const int64_t data_bytes = literal.size_bytes(index);
        TF_RETURN_IF_ERROR(
            CheckMemory(buffer, index, shape, data_bytes + SizesBytes(shape)));
        const char* from =
            static_cast<const char*>(buffer.buffer(index).opaque());
        if (data_bytes > 0) {
          std::memcpy(literal.untyped_data(index), from, data_bytes);
        }
        if (SizesBytes(shape) == 0) return absl::OkStatus();
        return ReadSizes(from + data_bytes, shape, index, literal);
      }));
  return literal;
}

}  // namespace xla
