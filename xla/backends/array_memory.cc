// Sizes behind elements.
#include "xla/backends/array_memory.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {

int64_t ElementsBytes(const Shape& shape) {
  if (!shape.IsArray()) return 0;
  return ShapeUtil::ElementsIn(shape) *
         LiteralElementBytes(shape.element_type());
}

absl::StatusOr<int64_t> DeviceBufferBytes(const Shape& shape) {
  if (shape.IsTuple()) {
    return absl::InvalidArgumentError(
        absl::StrCat("buffers hold arrays and tokens, not ", shape.ToString()));
  }
  TF_ASSIGN_OR_RETURN(const int64_t bytes, LiteralBytes(shape));
  if (!shape.IsArray() || !shape.has_dynamic_dimensions()) return bytes;
  return bytes + shape.rank() * static_cast<int64_t>(sizeof(int32_t));
}

absl::StatusOr<DimensionVector> ReadDynamicSizes(const char* memory,
                                                 const Shape& shape) {
  const char* from = memory + ElementsBytes(shape);
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    int32_t size;
    std::memcpy(&size, from + i * sizeof(size), sizeof(size));
    if (!shape.is_dynamic_dimension(i)) {
      sizes.push_back(shape.dimensions(i));
      continue;
    }
    if (size < 0 || size > shape.dimensions(i)) {
      return absl::InvalidArgumentError(
          absl::StrCat("an array of ", shape.ToString(),
                       " says that dimension ", i, " has size ", size));
    }
    sizes.push_back(size);
  }
  return sizes;
}

void WriteDynamicSizes(absl::Span<const int64_t> sizes, const Shape& shape,
                       char* memory) {
  char* to = memory + ElementsBytes(shape);
  for (int i = 0; i < shape.rank(); ++i) {
    const int32_t size = static_cast<int32_t>(sizes[i]);
    std::memcpy(to + i * sizeof(size), &size, sizeof(size));
  }
}

void StoreArray(const LiteralSlice& literal, const ShapeIndex& index,
                char* memory) {
  const Shape& shape = ShapeUtil::GetSubshape(literal.shape(), index);
  if (const int64_t bytes = literal.size_bytes(index); bytes > 0) {
    std::memcpy(memory, literal.untyped_data(index), bytes);
  }
  if (!shape.has_dynamic_dimensions()) return;
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    sizes.push_back(literal.GetDynamicSize(i, index));
  }
  WriteDynamicSizes(sizes, shape, memory);
}

absl::Status LoadArray(const char* memory, const ShapeIndex& index,
                       MutableLiteralBase& literal) {
  const Shape& shape = ShapeUtil::GetSubshape(literal.shape(), index);
  if (const int64_t bytes = literal.size_bytes(index); bytes > 0) {
    std::memcpy(literal.untyped_data(index), memory, bytes);
  }
  if (!shape.has_dynamic_dimensions()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const DimensionVector sizes,
                      ReadDynamicSizes(memory, shape));
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape.is_dynamic_dimension(i)) {
      literal.SetDynamicSize(i, index, static_cast<int32_t>(sizes[i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
