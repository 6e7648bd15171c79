// ShapeParts: the part of ShapeUtil that finds and visits the parts of tuples,
// by their shape indices.
#ifndef XLA_CORE_SHAPE_SHAPE_PARTS_H_
#define XLA_CORE_SHAPE_SHAPE_PARTS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"

namespace xla {

// Leaves are the parts that are not tuples. Functions that return a reference
// or a pointer CHECK that the index exists, except the Try form.
class ShapeParts {
 public:
  struct IndexedShape {
    IndexedShape() = default;
    IndexedShape(ShapeIndex index, Shape shape)
        : index(std::move(index)), shape(std::move(shape)) {}
    ShapeIndex index;
    Shape shape;
  };

  static bool IsEmptyTuple(const Shape& shape) {
    return shape.IsTuple() && shape.tuple_shapes_size() == 0;
  }
  static bool IsNil(const Shape& shape) { return IsEmptyTuple(shape); }
  static bool IsNestedTuple(const Shape& shape);
  static int64_t TupleElementCount(const Shape& shape);
  static const Shape& GetTupleElementShape(const Shape& shape, int64_t index);
  static int64_t SubshapeCount(const Shape& shape);
  static Shape SliceTuple(const Shape& tuple, int64_t start, int64_t limit);
  static void AppendShapeToTuple(const Shape& shape, Shape* tuple_shape);
  static void UpdateTupleShape(const Shape& shape, int64_t index,
                               Shape* tuple_shape);

  static bool IndexIsValid(const Shape& shape, ShapeIndexView index);
  static const Shape& GetSubshape(const Shape& shape, ShapeIndexView index);
  static const Shape& GetSubshapeOneIndex(const Shape& shape, int64_t index);
  // Errors: InvalidArgument.
  static absl::StatusOr<const Shape*> TryGetSubshape(const Shape& shape,
                                                     ShapeIndexView index);
  static Shape* GetMutableSubshape(Shape* shape, ShapeIndexView index);
  static bool IsLeafIndex(const Shape& shape, const ShapeIndex& index);
  static int64_t GetLeafCount(const Shape& shape);
  // As GetLeafCount; `shape` is a tuple.
  static int64_t GetLeafCountTuple(const Shape& shape);
  static std::vector<IndexedShape> GetLeafShapes(const Shape& shape);
  static std::vector<const Shape*> FlattenTupleShape(const Shape& shape);
  static void FlattenTupleShape(const Shape& shape,
                                std::vector<const Shape*>& flattened);

  // Visit the shape and its parts, each tuple before its elements or, in the
  // PostOrder forms, after them. The WithStatus forms stop at an error and
  // return it.
  using VisitFn = absl::FunctionRef<void(const Shape&, const ShapeIndex&)>;
  using MutableVisitFn = absl::FunctionRef<void(Shape*, const ShapeIndex&)>;
  using StatusVisitFn =
      absl::FunctionRef<absl::Status(const Shape&, const ShapeIndex&)>;
  using MutableStatusVisitFn =
      absl::FunctionRef<absl::Status(Shape*, const ShapeIndex&)>;
  static void ForEachSubshape(const Shape& shape, VisitFn fn);
  static void ForEachMutableSubshape(Shape* shape, MutableVisitFn fn);
  static absl::Status ForEachSubshapeWithStatus(const Shape& shape,
                                                StatusVisitFn fn);
  static absl::Status ForEachMutableSubshapeWithStatus(Shape* shape,
                                                       MutableStatusVisitFn fn);
  static void ForEachSubshapePostOrder(const Shape& shape, VisitFn fn);
  static void ForEachMutableSubshapePostOrder(Shape* shape, MutableVisitFn fn);
  static absl::Status ForEachSubshapePostOrderWithStatus(const Shape& shape,
                                                         StatusVisitFn fn);
  static absl::Status ForEachMutableSubshapePostOrderWithStatus(
      Shape* shape, MutableStatusVisitFn fn);

  // Visit the leaves alone.
  static void ForEachLeafShape(const Shape& shape, VisitFn fn);
  static void ForEachMutableLeafShape(Shape* shape, MutableVisitFn fn);
  static absl::Status ForEachLeafShapeWithStatus(const Shape& shape,
                                                 StatusVisitFn fn);
  static absl::Status ForEachMutableLeafShapeWithStatus(
      Shape* shape, MutableStatusVisitFn fn);
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_SHAPE_PARTS_H_
