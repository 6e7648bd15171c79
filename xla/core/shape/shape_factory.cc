// ShapeFactory: shapes of arrays, tuples, buffers and programs.
#include "xla/core/shape/shape_factory.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {

Shape ShapeFactory::MakeShape(PrimitiveType type,
                              absl::Span<const int64_t> dims) {
  absl::StatusOr<Shape> shape = MakeValidatedShape(type, dims);
  CHECK(shape.ok()) << shape.status().ToString();
  return *std::move(shape);
}

Shape ShapeFactory::MakeShape(PrimitiveType type,
                              absl::Span<const int64_t> dims,
                              const std::vector<bool>& dynamic) {
  absl::StatusOr<Shape> shape = MakeValidatedShape(type, dims, dynamic);
  CHECK(shape.ok()) << shape.status().ToString();
  return *std::move(shape);
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedShape(
    PrimitiveType type, absl::Span<const int64_t> dims) {
  Shape shape;
  TF_RETURN_IF_ERROR(PopulateShape(type, dims, &shape));
  return shape;
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedShape(
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
      return InvalidArgument(
          "Invalid dimension size: dimension %d is unbounded but not dynamic",
          i);
    }
  }
  return shape;
}

Shape ShapeFactory::MakeShapeWithDescendingLayout(
    PrimitiveType type, absl::Span<const int64_t> dims) {
  return MakeShape(type, dims);
}
absl::StatusOr<Shape> ShapeFactory::MakeValidatedShapeWithDescendingLayout(
    PrimitiveType type, absl::Span<const int64_t> dims) {
  return MakeValidatedShape(type, dims);
}
Shape ShapeFactory::MakeScalarShape(PrimitiveType type) {
  return MakeShape(type, {});
}
absl::StatusOr<Shape> ShapeFactory::MakeValidatedScalarShape(
    PrimitiveType type) {
  return MakeValidatedShape(type, {});
}

absl::Status ShapeFactory::PopulateShape(PrimitiveType type,
                                         absl::Span<const int64_t> dims,
                                         Shape* shape) {
  *shape = Shape(type, dims);
  if (!shape->IsArray() && !dims.empty()) {
    return InvalidArgument("%s shape cannot have dimensions (%s)",
                           PrimitiveType_Name(type), absl::StrJoin(dims, ","));
  }
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(*shape));
  if (shape->IsArray()) {
    DimensionVector& order = *shape->mutable_layout()->mutable_minor_to_major();
    order.resize(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) order[i] = dims.size() - 1 - i;
  }
  return absl::OkStatus();
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedShapeWithDenseLayout(
    PrimitiveType type, absl::Span<const int64_t> dims,
    absl::Span<const int64_t> minor_to_major, absl::Span<const Tile> tiles,
    int64_t tail_padding_alignment_in_elements, int64_t element_size_in_bits,
    int64_t memory_space, absl::Span<const SplitConfig> split_configs) {
  TF_ASSIGN_OR_RETURN(Shape shape, MakeValidatedShape(type, dims));
  if (!shape.IsArray()) {
    return InvalidArgument("%s shapes have no layout",
                           PrimitiveType_Name(type));
  }
  if (element_size_in_bits == 8 * ShapeUtil::ByteSizeOfPrimitiveType(type)) {
    element_size_in_bits = 0;
  }
  *shape.mutable_layout() = LayoutUtil::MakeLayout(
      minor_to_major, tiles, tail_padding_alignment_in_elements,
      PRIMITIVE_TYPE_INVALID, PRIMITIVE_TYPE_INVALID, element_size_in_bits,
      memory_space, split_configs);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShape(shape));
  return shape;
}

Shape ShapeFactory::MakeShapeWithDenseLayout(
    PrimitiveType type, absl::Span<const int64_t> dims,
    absl::Span<const int64_t> minor_to_major, absl::Span<const Tile> tiles,
    int64_t tail_padding_alignment_in_elements, int64_t element_size_in_bits,
    int64_t memory_space, absl::Span<const SplitConfig> split_configs) {
  absl::StatusOr<Shape> shape = MakeValidatedShapeWithDenseLayout(
      type, dims, minor_to_major, tiles, tail_padding_alignment_in_elements,
      element_size_in_bits, memory_space, split_configs);
  CHECK(shape.ok()) << shape.status().ToString();
  return *std::move(shape);
}

Shape ShapeFactory::MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
    const Shape& shape) {
  if (shape.IsBuffer()) {
    return Shape::MakeBufferShape(
        MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
            shape.buffer_shape()));
  }
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
  layout.set_tail_padding_alignment_in_elements(
      shape.layout().tail_padding_alignment_in_elements());
  layout.set_element_size_in_bits(shape.layout().element_size_in_bits());
  layout.set_memory_space(shape.layout().memory_space());
  *result.mutable_layout() = std::move(layout);
  return result;
}

absl::StatusOr<Shape>
ShapeFactory::MakeValidatedShapeWithDescendingLayoutAndSamePhysicalLayout(
    const Shape& shape) {
  if (!shape.IsArray()) {
    return InvalidArgument("%s is not an array", ShapeUtil::HumanString(shape));
  }
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShape(shape));
  return MakeShapeWithDescendingLayoutAndSamePhysicalLayout(shape);
}

Shape ShapeFactory::MakeStaticShape(const Shape& original) {
  Shape result = original;
  result.clear_dynamic_dimensions();
  return result;
}

Shape ShapeFactory::MakeShapeWithStaticDimensions(const Shape& shape) {
  return MakeStaticShape(shape);
}

Shape ShapeFactory::MakeTupleShape(absl::Span<const Shape> shapes) {
  return Shape(std::vector<Shape>(shapes.begin(), shapes.end()));
}

Shape ShapeFactory::MakeTupleShapeWithPtrs(
    absl::Span<const Shape* const> shapes) {
  Shape result(TUPLE);
  result.mutable_tuple_shapes()->reserve(shapes.size());
  for (const Shape* shape : shapes) *result.add_tuple_shapes() = *shape;
  return result;
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedTupleShape(
    absl::Span<const Shape> shapes) {
  Shape result = MakeTupleShape(shapes);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(result));
  return result;
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedTupleShapeWithPtrs(
    absl::Span<const Shape* const> shapes) {
  Shape result = MakeTupleShapeWithPtrs(shapes);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(result));
  return result;
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedMaybeTupleShape(
    absl::Span<const Shape> shapes) {
  Shape result = MakeMaybeTupleShape(shapes);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(result));
  return result;
}

Shape ShapeFactory::MakeMaybeTupleShape(absl::Span<const Shape> shapes) {
  return shapes.size() == 1 ? shapes[0] : MakeTupleShape(shapes);
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedBufferShape(
    const Shape& array) {
  Shape result = Shape::MakeBufferShape(array);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(result));
  return result;
}

absl::StatusOr<Shape> ShapeFactory::MakeValidatedBufferShape(
    PrimitiveType type, absl::Span<const int64_t> dims) {
  TF_ASSIGN_OR_RETURN(Shape array, MakeValidatedShape(type, dims));
  return MakeValidatedBufferShape(array);
}

ProgramShape ShapeFactory::MakeProgramShape(
    std::initializer_list<Shape> parameters, Shape result) {
  ProgramShape program_shape;
  for (const Shape& shape : parameters) program_shape.AddParameter(shape, "");
  *program_shape.mutable_result() = std::move(result);
  return program_shape;
}

}  // namespace xla
