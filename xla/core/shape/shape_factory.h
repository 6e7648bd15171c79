// ShapeFactory: the part of ShapeUtil that makes shapes, those of arrays with
// the layouts that are asked for.
#ifndef XLA_CORE_SHAPE_SHAPE_FACTORY_H_
#define XLA_CORE_SHAPE_SHAPE_FACTORY_H_

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Without a layout argument arrays get the default one, major to minor. Each
// Make* form without Status CHECKs its arguments; its MakeValidated* form
// returns InvalidArgument instead, and is the one for sizes from outside.
class ShapeFactory {
 public:
  // A dimension of Shape::kUnboundedSize is dynamic and unbounded; one with a
  // flag in `dynamic` has its size as the bound.
  static Shape MakeShape(PrimitiveType type, absl::Span<const int64_t> dims);
  static Shape MakeShape(PrimitiveType type, absl::Span<const int64_t> dims,
                         const std::vector<bool>& dynamic);
  static absl::StatusOr<Shape> MakeValidatedShape(
      PrimitiveType type, absl::Span<const int64_t> dims);
  static absl::StatusOr<Shape> MakeValidatedShape(
      PrimitiveType type, absl::Span<const int64_t> dims,
      const std::vector<bool>& dynamic);
  template <typename T>
  static Shape MakeShapeWithType(absl::Span<const int64_t> dims) {
    return MakeShape(primitive_util::NativeToPrimitiveType<T>(), dims);
  }
  template <typename T>
  static absl::StatusOr<Shape> MakeValidatedShapeWithType(
      absl::Span<const int64_t> dims) {
    return MakeValidatedShape(primitive_util::NativeToPrimitiveType<T>(), dims);
  }
  static Shape MakeScalarShape(PrimitiveType type);
  static absl::StatusOr<Shape> MakeValidatedScalarShape(PrimitiveType type);
  static Shape MakeShapeWithDenseLayout(
      PrimitiveType type, absl::Span<const int64_t> dims,
      absl::Span<const int64_t> minor_to_major,
      absl::Span<const Tile> tiles = {},
      int64_t tail_padding_alignment_in_elements = 1,
      int64_t element_size_in_bits = 0, int64_t memory_space = 0,
      absl::Span<const SplitConfig> split_configs = {});
  static absl::StatusOr<Shape> MakeValidatedShapeWithDenseLayout(
      PrimitiveType type, absl::Span<const int64_t> dims,
      absl::Span<const int64_t> minor_to_major,
      absl::Span<const Tile> tiles = {},
      int64_t tail_padding_alignment_in_elements = 1,
      int64_t element_size_in_bits = 0, int64_t memory_space = 0,
      absl::Span<const SplitConfig> split_configs = {});
  static Shape MakeShapeWithDescendingLayout(PrimitiveType type,
                                             absl::Span<const int64_t> dims);
  static absl::StatusOr<Shape> MakeValidatedShapeWithDescendingLayout(
      PrimitiveType type, absl::Span<const int64_t> dims);
  // List dimensions in physical order, so that the default layout is the same.
  static Shape MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
      const Shape& shape);
  static absl::StatusOr<Shape>
  MakeValidatedShapeWithDescendingLayoutAndSamePhysicalLayout(
      const Shape& shape);

  // Make every dynamic dimension static at its bound.
  static Shape MakeStaticShape(const Shape& original);
  static Shape MakeShapeWithStaticDimensions(const Shape& shape);

  static Shape MakeTupleShape(absl::Span<const Shape> shapes);
  static Shape MakeTupleShapeWithPtrs(absl::Span<const Shape* const> shapes);
  static absl::StatusOr<Shape> MakeValidatedTupleShape(
      absl::Span<const Shape> shapes);
  static absl::StatusOr<Shape> MakeValidatedTupleShapeWithPtrs(
      absl::Span<const Shape* const> shapes);
  // Return the only shape if there is one, otherwise the tuple of them.
  static Shape MakeMaybeTupleShape(absl::Span<const Shape> shapes);
  static absl::StatusOr<Shape> MakeValidatedMaybeTupleShape(
      absl::Span<const Shape> shapes);

  static Shape MakeNil() { return MakeTupleShape({}); }
  static Shape MakeOpaqueShape() { return Shape(OPAQUE_TYPE); }
  static Shape MakeTokenShape() { return Shape(TOKEN); }
  static absl::StatusOr<Shape> MakeValidatedBufferShape(const Shape& array);
  static absl::StatusOr<Shape> MakeValidatedBufferShape(
      PrimitiveType type, absl::Span<const int64_t> dims);
  static ProgramShape MakeProgramShape(std::initializer_list<Shape> parameters,
                                       Shape result);
  static absl::Status PopulateShape(PrimitiveType type,
                                    absl::Span<const int64_t> dims,
                                    Shape* shape);
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_SHAPE_FACTORY_H_
