// ShapeUtil: making and checking shapes, and sizes of shapes.
#include "xla/core/shape_util.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/shape_text.h"

namespace xla {
namespace {

// Returns the product of the sizes except unbounded ones; sizes of 0 count as
// 1, so that no order of multiplication overflows. Returns nullopt if it does
// not fit.
std::optional<int64_t> LargestProduct(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size <= 0) continue;
    std::optional<int64_t> next = CheckedMultiply(product, size);
    if (!next.has_value()) return std::nullopt;
    product = *next;
  }
  return product;
}

// Checks sizes and parts, not layouts.
absl::Status ValidateStructure(const Shape& shape, int depth) {
  if (depth > Shape::kMaxNesting) {
    return InvalidArgument("shape is nested deeper than %d",
                           Shape::kMaxNesting);
  }
  if (shape.IsBuffer()) {
    if (!shape.buffer_shape().IsArrayExcludingBuffer()) {
      return InvalidArgument("a buffer holds an array, not %s",
                             ShapeUtil::HumanString(shape.buffer_shape()));
    }
    return ValidateStructure(shape.buffer_shape(), depth + 1);
  }
  if (shape.IsArray()) {
    if (shape.tuple_shapes_size() != 0) {
      return InvalidArgument("array shape %s has tuple parts",
                             ShapeUtil::HumanString(shape));
    }
    for (int i = 0; i < shape.dimensions_size(); ++i) {
      if (shape.dimensions(i) < 0 && !shape.is_unbounded_dynamic_dimension(i)) {
        return InvalidArgument(
            "Invalid dimension size %d of dimension %d: shape %s",
            shape.dimensions(i), i, ShapeUtil::HumanString(shape));
      }
    }
    return ShapeUtil::ValidateShapeSize(shape);
  }
  const std::string& type = PrimitiveType_Name(shape.element_type());
  if (shape.element_type() == PRIMITIVE_TYPE_INVALID || type.empty()) {
    return InvalidArgument("shape has no valid element type (%d)",
                           static_cast<int>(shape.element_type()));
  }
  if (shape.rank() != 0 || shape.has_layout()) {
    return InvalidArgument("%s shape has dimensions or a layout", type);
  }
  if (!shape.IsTuple() && shape.tuple_shapes_size() != 0) {
    return InvalidArgument("%s shape has %d parts", type,
                           shape.tuple_shapes_size());
  }
  for (const Shape& part : shape.tuple_shapes()) {
    TF_RETURN_IF_ERROR(ValidateStructure(part, depth + 1));
  }
  return absl::OkStatus();
}

}  // namespace

bool ShapeUtil::IsInitialized(const Shape& shape) {
  return shape.element_type() != PRIMITIVE_TYPE_INVALID;
}

absl::Status ShapeUtil::ValidateShape(const Shape& shape) {
  TF_RETURN_IF_ERROR(ValidateStructure(shape, 0));
  return LayoutUtil::ValidateLayoutInShape(shape);
}

absl::Status ShapeUtil::ValidateShapeWithOptionalLayout(const Shape& shape) {
  TF_RETURN_IF_ERROR(ValidateStructure(shape, 0));
  return LayoutUtil::ValidateLayoutInShape(shape,
                                           /*allow_missing_layouts=*/true);
}

absl::Status ShapeUtil::ValidateShapeSize(const Shape& shape) {
  if (!shape.IsArray()) return absl::OkStatus();
  std::optional<int64_t> elements = LargestProduct(shape.dimensions());
  if (elements.has_value()) {
    elements = CheckedMultiply(*elements,
                               ByteSizeOfPrimitiveType(shape.element_type()));
  }
  if (!elements.has_value()) {
    return InvalidArgument("shape %s: the size in bytes overflows int64",
                           HumanString(shape));
  }
  return absl::OkStatus();
}

int64_t ShapeUtil::ElementsIn(const Shape& shape) {
  DCHECK(!shape.is_unbounded_dynamic());
  return Product(shape.dimensions());
}

int64_t ShapeUtil::ElementsInRecursive(const Shape& shape) {
  if (!shape.IsTuple()) return shape.IsArray() ? ElementsIn(shape) : 0;
  int64_t count = 0;
  for (const Shape& part : shape.tuple_shapes()) {
    count += ElementsInRecursive(part);
  }
  return count;
}

int64_t ShapeUtil::ByteSizeOfPrimitiveType(PrimitiveType type) {
  return primitive_util::ByteWidth(type);
}

int64_t ShapeUtil::ByteSizeOf(const Shape& shape, int64_t pointer_size) {
  if (shape.IsTuple()) return ByteSizeOfTupleIndexTable(shape, pointer_size);
  return shape.IsArray() ? ByteSizeOfElements(shape) : 0;
}

int64_t ShapeUtil::ByteSizeOfTupleIndexTable(const Shape& shape,
                                             int64_t pointer_size) {
  if (pointer_size < 0) pointer_size = sizeof(void*);
  return pointer_size * shape.tuple_shapes_size();
}

int64_t ShapeUtil::ByteSizeOfElements(const Shape& shape) {
  const int64_t count = ElementsIn(shape);
  if (shape.has_layout() && shape.layout().element_size_in_bits() != 0) {
    // Validation does not cover this factor; a larger size saturates.
    const std::optional<int64_t> bits =
        CheckedMultiply(count, shape.layout().element_size_in_bits());
    return bits.has_value() ? CeilOfRatio<int64_t>(*bits, 8)
                            : std::numeric_limits<int64_t>::max();
  }
  return count * ByteSizeOfPrimitiveType(shape.element_type());
}

int64_t ShapeUtil::ByteSizeOfElementsRecursive(const Shape& shape) {
  if (!shape.IsTuple()) return ByteSizeOf(shape);
  int64_t bytes = 0;
  for (const Shape& part : shape.tuple_shapes()) {
    bytes += ByteSizeOfElementsRecursive(part);
  }
  return bytes;
}

int64_t ShapeUtil::ArraySize(const Shape& shape) {
  CHECK(shape.IsArray()) << HumanString(shape);
  if (!shape.has_layout()) return ByteSizeOfElements(shape);
  absl::StatusOr<int64_t> bytes = PaddedByteSize(shape);
  CHECK(bytes.ok()) << bytes.status().ToString();
  return *bytes;
}

int64_t ShapeUtil::ArrayDataSize(const Shape& shape) {
  CHECK(shape.IsArray()) << HumanString(shape);
  if (!shape.has_layout() || IsZeroElementArray(shape)) {
    return ByteSizeOfElements(shape);
  }
  absl::StatusOr<Tiling> tiling = Tiling::Create(shape);
  CHECK(tiling.ok()) << tiling.status().ToString();
  DimensionVector last(shape.dimensions().begin(), shape.dimensions().end());
  for (int64_t& index : last) --index;
  const int64_t count = tiling->LinearIndex(last) + 1;
  const int64_t bits = shape.layout().element_size_in_bits();
  return bits != 0 ? CeilOfRatio<int64_t>(count * bits, 8)
                   : count * ByteSizeOfPrimitiveType(shape.element_type());
}

std::optional<absl::InlinedVector<int64_t, 4>> ShapeUtil::UnpackedByteStrides(
    const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout()) return std::nullopt;
  absl::InlinedVector<int64_t, 4> strides(shape.rank());
  int64_t stride = ByteSizeOfPrimitiveType(shape.element_type());
  for (const int64_t dim : shape.layout().minor_to_major()) {
    strides[dim] = stride;
    stride *= shape.dimensions(dim);
  }
  return strides;
}

std::optional<absl::InlinedVector<int64_t, 4>> ShapeUtil::ByteStrides(
    const Shape& shape) {
  if (!shape.IsArray() || ElementSizeInBits(shape) % 8 != 0) {
    return std::nullopt;
  }
  return UnpackedByteStrides(shape);
}

absl::Status ShapeUtil::UnpackedByteStrides(const Shape& shape,
                                            absl::Span<int64_t> strides) {
  const std::optional<absl::InlinedVector<int64_t, 4>> found =
      UnpackedByteStrides(shape);
  if (!found.has_value()) {
    return InvalidArgument("%s is no array with a layout",
                           HumanStringWithLayout(shape));
  }
  if (found->size() != strides.size()) {
    return InvalidArgument("%d strides for the dimensions of %s",
                           strides.size(), HumanString(shape));
  }
  std::copy(found->begin(), found->end(), strides.begin());
  return absl::OkStatus();
}

int64_t ShapeUtil::ElementSizeInBits(const Shape& shape) {
  if (shape.has_layout() && shape.layout().element_size_in_bits() != 0) {
    return shape.layout().element_size_in_bits();
  }
  return 8 * ByteSizeOfPrimitiveType(shape.element_type());
}

absl::StatusOr<int64_t> ShapeUtil::SerializedSize(const Shape& shape) {
  return SerializedSizeWithProto(shape, shape.ToProto());
}

absl::StatusOr<int64_t> ShapeUtil::SerializedSizeWithProto(
    const Shape& shape, const ShapeProto& proto) {
  TF_RETURN_IF_ERROR(ValidateShapeWithOptionalLayout(shape));
  int64_t size = sizeof(int64_t) + proto.ByteSizeLong();
  TF_RETURN_IF_ERROR(ForEachLeafShapeWithStatus(
      shape, [&](const Shape& leaf, const ShapeIndex&) -> absl::Status {
        if (!leaf.IsArray() || leaf.is_unbounded_dynamic()) {
          return InvalidArgument("%s cannot be serialized", HumanString(leaf));
        }
        if (leaf.is_dynamic()) size += sizeof(DynamicSizeType) * leaf.rank();
        // PRED and types narrower than a byte are packed.
        const int bits = primitive_util::BitWidth(leaf.element_type());
        const int64_t count = ElementsIn(leaf);
        size += bits < 8 && 8 % bits == 0
                    ? CeilOfRatio<int64_t>(count, 8 / bits)
                    : count * CeilOfRatio(bits, 8);
        return absl::OkStatus();
      }));
  return size;
}

absl::StatusOr<int64_t> ShapeUtil::PackedFactorFor1DInterleavedArray(
    const Shape& shape) {
  if (!shape.IsArray() || shape.rank() != 1 || !shape.has_layout() ||
      shape.layout().tiles_size() != 3 ||
      shape.layout().tiles(2).num_dimensions() != 2) {
    return InvalidArgument("%s is not an interleaved array of rank 1",
                           HumanStringWithLayout(shape));
  }
  return shape.layout().tiles(2).dimension(0);
}

}  // namespace xla
