// Handles device memory array by array: copies of literals, arguments, results.
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

// The memory of empty arrays, which may have none of their own.
alignas(64) char kNothing[64];

char* Data(const ShapedBuffer& buffer, const ShapeIndex& index) {
  return static_cast<char*>(buffer.buffer(index).opaque());
}

}  // namespace

absl::StatusOr<ScopedShapedBuffer> AllocateBuffer(
    const Shape& shape, se::DeviceMemoryAllocator* allocator,
    int device_ordinal) {
  ScopedShapedBuffer buffer(shape, allocator, device_ordinal);
  TF_RETURN_IF_ERROR(ShapeUtil::ForEachSubshapeWithStatus(
      shape, [&](const Shape& leaf, const ShapeIndex& index) -> absl::Status {
        if (!leaf.IsArray()) return absl::OkStatus();
        TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(leaf));
        TF_ASSIGN_OR_RETURN(se::OwningDeviceMemory memory,
                            allocator->Allocate(device_ordinal, bytes));
        buffer.set_buffer(std::move(memory), index);
        return absl::OkStatus();
      }));
  return buffer;
}

absl::StatusOr<ScopedShapedBuffer> CopyToDevice(
    const LiteralSlice& literal, se::DeviceMemoryAllocator* allocator,
    int device_ordinal) {
  TF_ASSIGN_OR_RETURN(
      ScopedShapedBuffer buffer,
      AllocateBuffer(literal.shape(), allocator, device_ordinal));
  TF_RETURN_IF_ERROR(ShapeUtil::ForEachSubshapeWithStatus(
      literal.shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (!shape.IsArray()) return absl::OkStatus();
        return StoreArray(literal, index, shape, Data(buffer, index));
      }));
  return buffer;
}

absl::Status AddInputs(const ShapedBuffer& buffer,
                       std::vector<Executable::Input>& inputs) {
  return ShapeUtil::ForEachSubshapeWithStatus(
      buffer.on_device_shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (shape.IsTuple()) return absl::OkStatus();
        Executable::Input input{.shape = &shape};
        if (shape.IsArray()) {
          TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
          TF_RETURN_IF_ERROR(CheckMemory(buffer, index, shape, bytes));
          input.data = bytes == 0 ? kNothing : Data(buffer, index);
        }
        inputs.push_back(input);
        return absl::OkStatus();
      });
}

void AddOutputs(const ShapedBuffer& buffer,
                std::vector<Executable::Output>& outputs) {
  ShapeUtil::ForEachSubshape(
      buffer.on_device_shape(),
      [&](const Shape& shape, const ShapeIndex& index) {
        if (shape.IsTuple()) return;
        outputs.push_back({.shape = &shape,
                           .data = !shape.IsArray() ? nullptr
                                   : buffer.buffer(index).is_null()
                                       ? kNothing
                                       : Data(buffer, index)});
      });
}

absl::StatusOr<Literal> CopyToHost(const ShapedBuffer& buffer) {
  TF_ASSIGN_OR_RETURN(
      Literal literal,
      Literal::Make(DenseLiteralShape(buffer.on_device_shape())));
  TF_RETURN_IF_ERROR(ShapeUtil::ForEachSubshapeWithStatus(
      buffer.on_device_shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (!shape.IsArray()) return absl::OkStatus();
        TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
        TF_RETURN_IF_ERROR(CheckMemory(buffer, index, shape, bytes));
        return LoadArray(Data(buffer, index), shape, index, literal);
      }));
  return literal;
}

}  // namespace xla
