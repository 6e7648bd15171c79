// Element layout in bytes, and the dynamic sizes behind the elements.
#include "xla/backends/array_memory.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/relayout.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/shape_util.h"

namespace xla {

namespace {

// `shape` with elements of whole bytes, as they are in memory.
Shape ByteShape(const Shape& shape) {
  Shape bytes = MemoryShape(shape);
  bytes.mutable_layout()->set_element_size_in_bits(0);
  return bytes;
}

}  // namespace

Shape MemoryShape(const Shape& shape) {
  Shape result = DenseLiteralShape(shape);
  ShapeUtil::ForEachMutableLeafShape(
      &result, [&](Shape* leaf, const ShapeIndex& index) {
        const Shape& original = ShapeUtil::GetSubshape(shape, index);
        if (!HasTilesOrPadding(original)) return;
        const Layout& from = original.layout();
        Layout& layout = *leaf->mutable_layout();
        layout = Layout(from.minor_to_major(), from.tiles(),
                        from.tail_padding_alignment_in_elements());
        layout.set_element_size_in_bits(from.element_size_in_bits());
        layout.set_memory_space(from.memory_space());
        if (!from.padded_dimensions().empty()) {
          layout.set_padded_dimensions(from.padded_dimensions());
        }
        if (from.padding_value() != INVALID_PAD) {
          layout.set_padding_value(from.padding_value());
        }
      });
  return result;
}

int64_t ElementsBytes(const Shape& shape) {
  if (!shape.IsArray()) return 0;
  if (HasTilesOrPadding(shape)) {
    return PaddedByteSize(ByteShape(shape)).value_or(0);
  }
  return ShapeUtil::ElementsIn(shape) *
         LiteralElementBytes(shape.element_type());
}

absl::StatusOr<int64_t> DeviceBufferBytes(const Shape& shape) {
  if (shape.IsTuple()) {
    return absl::InvalidArgumentError(
        absl::StrCat("buffers hold arrays and tokens, not ", shape.ToString()));
  }
  TF_ASSIGN_OR_RETURN(int64_t bytes, LiteralBytes(shape));
  if (HasTilesOrPadding(shape)) {
    TF_ASSIGN_OR_RETURN(bytes, PaddedByteSize(ByteShape(shape)));
    // The array is limited to the size of the largest literal.
    TF_ASSIGN_OR_RETURN(const Shape vector,
                        ShapeUtil::MakeValidatedShape(U8, {bytes}));
    TF_RETURN_IF_ERROR(LiteralBytes(vector).status());
  }
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

absl::Status CopyElements(const char* src, const Shape& from, char* dst,
                          const Shape& to) {
  if (!from.IsArray() || ElementsBytes(to) == 0) return absl::OkStatus();
  if (HasTilesOrPadding(from) || HasTilesOrPadding(to)) {
    return Relayout(ByteShape(from), src, ByteShape(to), dst);
  }
  if (from.layout().minor_to_major() == to.layout().minor_to_major()) {
    std::memcpy(dst, src, ElementsBytes(to));
    return absl::OkStatus();
  }
  StridedCopy(LiteralElementBytes(from.element_type()), from.dimensions(), src,
              DenseStrides(from), dst, DenseStrides(to));
  return absl::OkStatus();
}

absl::Status StoreArray(const LiteralSlice& literal, const ShapeIndex& index,
                        const Shape& shape, char* memory) {
  TF_RETURN_IF_ERROR(CopyElements(
      static_cast<const char*>(literal.untyped_data(index)),
      ShapeUtil::GetSubshape(literal.shape(), index), memory, shape));
  if (!shape.has_dynamic_dimensions()) return absl::OkStatus();
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    sizes.push_back(literal.GetDynamicSize(i, index));
  }
  WriteDynamicSizes(sizes, shape, memory);
  return absl::OkStatus();
}

absl::Status LoadArray(const char* memory, const Shape& shape,
                       const ShapeIndex& index, MutableLiteralBase& literal) {
  TF_RETURN_IF_ERROR(CopyElements(
      memory, shape, static_cast<char*>(literal.untyped_data(index)),
      ShapeUtil::GetSubshape(literal.shape(), index)));
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
