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
  if (shape.IsArray()) {
    if (shape.tuple_shapes_size() != 0) {
      return InvalidArgument("array shape %s has tuple parts",
                             ShapeUtil::HumanString(shape));
    }
    for (int i = 0; i < shape.dimensions_size(); ++i) {
      if (shape.dimensions(i) < 0 && !shape.is_unbounded_dynamic_dimension(i)) {
        return InvalidArgument(
            "shape %s: dimension %d has size %d, which is negative",
            ShapeUtil::HumanString(shape), i, shape.dimensions(i));
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
  if (!shape.IsTuple() &&
      shape.tuple_shapes_size() != (shape.IsBuffer() ? 1 : 0)) {
    return InvalidArgument("%s shape has %d parts", type,
                           shape.tuple_shapes_size());
  }
  if (shape.IsBuffer() && !shape.buffer_shape().IsArray()) {
    return InvalidArgument("a buffer holds an array, not %s",
                           ShapeUtil::HumanString(shape.buffer_shape()));
  }
  for (const Shape& part : shape.tuple_shapes()) {
    TF_RETURN_IF_ERROR(ValidateStructure(part, depth + 1));
  }
  return absl::OkStatus();
}

}  // namespace

Shape ShapeUtil::MakeShape(PrimitiveType type, absl::Span<const int64_t> dims) {
  absl::StatusOr<Shape> shape = MakeValidatedShape(type, dims);
  CHECK(shape.ok()) << shape.status().ToString();
  return *std::move(shape);
}

Shape ShapeUtil::MakeShape(PrimitiveType type, absl::Span<const int64_t> dims,
                           const std::vector<bool>& dynamic) {
  absl::StatusOr<Shape> shape = MakeValidatedShape(type, dims, dynamic);
  CHECK(shape.ok()) << shape.status().ToString();
  return *std::move(shape);
}

absl::StatusOr<Shape> ShapeUtil::MakeValidatedShape(
    PrimitiveType type, absl::Span<const int64_t> dims) {
  Shape shape;
  TF_RETURN_IF_ERROR(PopulateShape(type, dims, &shape));
  return shape;
}

absl::StatusOr<Shape> ShapeUtil::MakeValidatedShape(
    PrimitiveType type, absl::Span<const int64_t> dims,
    const std::vector<bool>& dynamic) {
  if (dims.size() != dynamic.size()) {
    return InvalidArgument("%d dynamic flags for %d dimensions", dynamic.size(),
                           dims.size());
  }
  TF_ASSIGN_OR_RETURN(Shape shape, MakeValidatedShape(type, dims));
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != Shape::kUnboundedSize && dynamic[i]) {
      shape.set_dynamic_dimension(i, true);
    } else if (dims[i] == Shape::kUnboundedSize && !dynamic[i]) {
      return InvalidArgument("dimension %d is unbounded but not dynamic", i);
    }
  }
  return shape;
}

Shape ShapeUtil::MakeShapeWithDescendingLayout(PrimitiveType type,
                                               absl::Span<const int64_t> dims) {
  return MakeShape(type, dims);
}
Shape ShapeUtil::MakeScalarShape(PrimitiveType type) {
  return MakeShape(type, {});
}

absl::Status ShapeUtil::PopulateShape(PrimitiveType type,
                                      absl::Span<const int64_t> dims,
                                      Shape* shape) {
  *shape = Shape(type, dims);
  if (!shape->IsArray() && !dims.empty()) {
    return InvalidArgument("%s shape cannot have dimensions (%s)",
                           PrimitiveType_Name(type), absl::StrJoin(dims, ","));
  }
  TF_RETURN_IF_ERROR(ValidateStructure(*shape, 0));
  if (shape->IsArray()) {
    DimensionVector& order = *shape->mutable_layout()->mutable_minor_to_major();
    order.resize(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) order[i] = dims.size() - 1 - i;
  }
  return absl::OkStatus();
}

Shape ShapeUtil::MakeShapeWithDenseLayout(
    PrimitiveType type, absl::Span<const int64_t> dims,
    absl::Span<const int64_t> minor_to_major, absl::Span<const Tile> tiles,
    int64_t tail_padding_alignment_in_elements, int64_t element_size_in_bits,
    int64_t memory_space, absl::Span<const SplitConfig> split_configs) {
  Shape shape = MakeShape(type, dims);
  *shape.mutable_layout() = LayoutUtil::MakeLayout(
      minor_to_major, tiles, tail_padding_alignment_in_elements,
      PRIMITIVE_TYPE_INVALID, PRIMITIVE_TYPE_INVALID, element_size_in_bits,
      memory_space, split_configs);
  CHECK_OK(ValidateShape(shape));
  return shape;
}

Shape ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
    const Shape& shape) {
  Shape result(shape.element_type());
  const int rank = shape.dimensions_size();
  Layout layout = LayoutUtil::MakeDescendingLayout(rank);
  for (int i = 0; i < rank; ++i) {
    const int64_t dim = LayoutUtil::Major(shape.layout(), i);
    result.add_dimensions(shape.dimensions(dim),
                          shape.is_dynamic_dimension(dim));
  }
  if (!shape.layout().tiles().empty()) {
    layout.mutable_tiles()->assign(shape.layout().tiles().begin(),
                                   shape.layout().tiles().end());
  }
  layout.set_element_size_in_bits(shape.layout().element_size_in_bits());
  layout.set_memory_space(shape.layout().memory_space());
  *result.mutable_layout() = std::move(layout);
  return result;
}

Shape ShapeUtil::MakeStaticShape(const Shape& original) {
  CHECK(!original.is_unbounded_dynamic()) << HumanString(original);
  Shape result = original;
  result.clear_dynamic_dimensions();
  return result;
}

Shape ShapeUtil::MakeShapeWithStaticDimensions(const Shape& shape) {
  return MakeStaticShape(shape);
}

Shape ShapeUtil::MakeTupleShape(absl::Span<const Shape> shapes) {
  return Shape(std::vector<Shape>(shapes.begin(), shapes.end()));
}

Shape ShapeUtil::MakeTupleShapeWithPtrs(absl::Span<const Shape* const> shapes) {
  Shape result(TUPLE);
  result.mutable_tuple_shapes()->reserve(shapes.size());
  for (const Shape* shape : shapes) *result.add_tuple_shapes() = *shape;
  return result;
}

absl::StatusOr<Shape> ShapeUtil::MakeValidatedTupleShape(
    absl::Span<const Shape> shapes) {
  Shape result = MakeTupleShape(shapes);
  TF_RETURN_IF_ERROR(ValidateShapeWithOptionalLayout(result));
  return result;
}

Shape ShapeUtil::MakeMaybeTupleShape(absl::Span<const Shape> shapes) {
  return shapes.size() == 1 ? shapes[0] : MakeTupleShape(shapes);
}

absl::StatusOr<Shape> ShapeUtil::MakeValidatedBufferShape(const Shape& array) {
  Shape result = Shape::MakeBufferShape(array);
  TF_RETURN_IF_ERROR(ValidateShapeWithOptionalLayout(result));
  return result;
}

ProgramShape ShapeUtil::MakeProgramShape(
    std::initializer_list<Shape> parameters, Shape result) {
  ProgramShape program_shape;
  for (const Shape& shape : parameters) program_shape.AddParameter(shape, "");
  *program_shape.mutable_result() = std::move(result);
  return program_shape;
}

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
  if (shape.IsBuffer()) return ByteSizeOf(shape.buffer_shape(), pointer_size);
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
  absl::StatusOr<int64_t> bytes = BufferByteSize(shape);
  CHECK(bytes.ok()) << bytes.status().ToString();
  return *bytes;
}

int64_t ShapeUtil::ArrayDataSize(const Shape& shape) {
  CHECK(shape.IsArray()) << HumanString(shape);
  if (!shape.has_layout()) return ByteSizeOfElements(shape);
  absl::StatusOr<int64_t> bytes = PaddedByteSize(shape);
  CHECK(bytes.ok()) << bytes.status().ToString();
  return *bytes;
}

std::optional<absl::InlinedVector<int64_t, 4>> ShapeUtil::ByteStrides(
    const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout() ||
      !LayoutUtil::IsDenseArray(shape) ||
      shape.layout().element_size_in_bits() % 8 != 0) {
    return std::nullopt;
  }
  const int64_t bits = shape.layout().element_size_in_bits();
  absl::InlinedVector<int64_t, 4> strides(shape.rank());
  int64_t stride =
      bits != 0 ? bits / 8 : ByteSizeOfPrimitiveType(shape.element_type());
  for (int64_t dim : shape.layout().minor_to_major()) {
    strides[dim] = stride;
    stride *= shape.dimensions(dim);
  }
  return strides;
}

}  // namespace xla
