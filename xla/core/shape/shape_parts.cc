// ShapeParts: parts of tuple shapes.
#include "xla/core/shape/shape_parts.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

enum class Order { kBeforeParts, kAfterParts };

// Visits `shape` and its parts. `S` is Shape* or const Shape*.
template <typename S, typename Fn>
absl::Status Visit(S shape, Order order, ShapeIndex& index, const Fn& fn) {
  if (order == Order::kBeforeParts) TF_RETURN_IF_ERROR(fn(shape, index));
  const int parts = shape->IsTuple() ? shape->tuple_shapes_size() : 0;
  for (int i = 0; i < parts; ++i) {
    index.push_back(i);
    S part;
    if constexpr (std::is_same_v<S, Shape*>) {
      part = shape->mutable_tuple_shapes(i);
    } else {
      part = &shape->tuple_shapes(i);
    }
    TF_RETURN_IF_ERROR(Visit(part, order, index, fn));
    index.pop_back();
  }
  if (order == Order::kAfterParts) TF_RETURN_IF_ERROR(fn(shape, index));
  return absl::OkStatus();
}

absl::Status VisitConst(const Shape& shape, Order order,
                        ShapeParts::StatusVisitFn fn) {
  ShapeIndex index;
  return Visit(&shape, order, index, [&](const Shape* p, const ShapeIndex& at) {
    return fn(*p, at);
  });
}

absl::Status VisitMutable(Shape* shape, Order order,
                          ShapeParts::MutableStatusVisitFn fn) {
  ShapeIndex index;
  return Visit(shape, order, index,
               [&](Shape* p, const ShapeIndex& at) { return fn(p, at); });
}

// Makes a function that returns void one that returns OK.
template <typename Fn>
auto WithOk(Fn& fn) {
  return [&fn](auto&& shape, const ShapeIndex& index) {
    fn(shape, index);
    return absl::OkStatus();
  };
}

}  // namespace

bool ShapeParts::IsNestedTuple(const Shape& shape) {
  return shape.IsTuple() &&
         std::any_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     [](const Shape& part) { return part.IsTuple(); });
}
int64_t ShapeParts::TupleElementCount(const Shape& shape) {
  CHECK(shape.IsTuple()) << ShapeUtil::HumanString(shape);
  return shape.tuple_shapes_size();
}
const Shape& ShapeParts::GetTupleElementShape(const Shape& shape,
                                              int64_t index) {
  CHECK(shape.IsTuple()) << ShapeUtil::HumanString(shape);
  CHECK(index >= 0 && index < TupleElementCount(shape)) << index;
  return shape.tuple_shapes(index);
}
int64_t ShapeParts::SubshapeCount(const Shape& shape) {
  int64_t count = 1;
  if (!shape.IsTuple()) return count;
  for (const Shape& part : shape.tuple_shapes()) count += SubshapeCount(part);
  return count;
}

Shape ShapeParts::SliceTuple(const Shape& tuple, int64_t start, int64_t limit) {
  CHECK(tuple.IsTuple()) << ShapeUtil::HumanString(tuple);
  CHECK(0 <= start && start <= limit && limit <= TupleElementCount(tuple));
  return Shape(std::vector<Shape>(tuple.tuple_shapes().begin() + start,
                                  tuple.tuple_shapes().begin() + limit));
}
void ShapeParts::AppendShapeToTuple(const Shape& shape, Shape* tuple_shape) {
  CHECK(tuple_shape->IsTuple());
  tuple_shape->mutable_tuple_shapes()->push_back(shape);
}
void ShapeParts::UpdateTupleShape(const Shape& shape, int64_t index,
                                  Shape* tuple_shape) {
  CHECK(tuple_shape->IsTuple());
  CHECK(index >= 0 && index < tuple_shape->tuple_shapes_size()) << index;
  *tuple_shape->mutable_tuple_shapes(index) = shape;
}

absl::StatusOr<const Shape*> ShapeParts::TryGetSubshape(const Shape& shape,
                                                        ShapeIndexView index) {
  const Shape* part = &shape;
  for (int64_t i : index) {
    if (!part->IsTuple() || i < 0 || i >= part->tuple_shapes_size()) {
      return InvalidArgument("shape index %s does not exist in %s",
                             ShapeIndex(index).ToString(),
                             ShapeUtil::HumanString(shape));
    }
    part = &part->tuple_shapes(i);
  }
  return part;
}
bool ShapeParts::IndexIsValid(const Shape& shape, ShapeIndexView index) {
  return TryGetSubshape(shape, index).ok();
}
const Shape& ShapeParts::GetSubshape(const Shape& shape, ShapeIndexView index) {
  const Shape* part = &shape;
  for (int64_t i : index) {
    CHECK(part->IsTuple() && i >= 0 && i < part->tuple_shapes_size())
        << ShapeIndex(index).ToString() << " of "
        << ShapeUtil::HumanString(shape);
    part = &part->tuple_shapes(i);
  }
  return *part;
}
const Shape& ShapeParts::GetSubshapeOneIndex(const Shape& shape,
                                             int64_t index) {
  return GetSubshape(shape, {index});
}
Shape* ShapeParts::GetMutableSubshape(Shape* shape, ShapeIndexView index) {
  return const_cast<Shape*>(&GetSubshape(*shape, index));
}

bool ShapeParts::IsLeafIndex(const Shape& shape, const ShapeIndex& index) {
  return !GetSubshape(shape, index).IsTuple();
}
int64_t ShapeParts::GetLeafCount(const Shape& shape) {
  return shape.IsTuple() ? GetLeafCountTuple(shape) : 1;
}
int64_t ShapeParts::GetLeafCountTuple(const Shape& shape) {
  int64_t count = 0;
  for (const Shape& part : shape.tuple_shapes()) count += GetLeafCount(part);
  return count;
}
std::vector<ShapeParts::IndexedShape> ShapeParts::GetLeafShapes(
    const Shape& shape) {
  std::vector<IndexedShape> leaves;
  ForEachLeafShape(shape, [&](const Shape& leaf, const ShapeIndex& index) {
    leaves.push_back({index, leaf});
  });
  return leaves;
}
std::vector<const Shape*> ShapeParts::FlattenTupleShape(const Shape& shape) {
  std::vector<const Shape*> leaves;
  FlattenTupleShape(shape, leaves);
  return leaves;
}

void ShapeParts::FlattenTupleShape(const Shape& shape,
                                   std::vector<const Shape*>& flattened) {
  ForEachLeafShape(shape, [&](const Shape& leaf, const ShapeIndex&) {
    flattened.push_back(&leaf);
  });
}

absl::Status ShapeParts::ForEachSubshapeWithStatus(const Shape& shape,
                                                   StatusVisitFn fn) {
  return VisitConst(shape, Order::kBeforeParts, fn);
}
absl::Status ShapeParts::ForEachMutableSubshapeWithStatus(
    Shape* shape, MutableStatusVisitFn fn) {
  return VisitMutable(shape, Order::kBeforeParts, fn);
}
absl::Status ShapeParts::ForEachSubshapePostOrderWithStatus(const Shape& shape,
                                                            StatusVisitFn fn) {
  return VisitConst(shape, Order::kAfterParts, fn);
}
absl::Status ShapeParts::ForEachMutableSubshapePostOrderWithStatus(
    Shape* shape, MutableStatusVisitFn fn) {
  return VisitMutable(shape, Order::kAfterParts, fn);
}

void ShapeParts::ForEachSubshape(const Shape& shape, VisitFn fn) {
  VisitConst(shape, Order::kBeforeParts, WithOk(fn)).IgnoreError();
}
void ShapeParts::ForEachMutableSubshape(Shape* shape, MutableVisitFn fn) {
  VisitMutable(shape, Order::kBeforeParts, WithOk(fn)).IgnoreError();
}
void ShapeParts::ForEachSubshapePostOrder(const Shape& shape, VisitFn fn) {
  VisitConst(shape, Order::kAfterParts, WithOk(fn)).IgnoreError();
}
void ShapeParts::ForEachMutableSubshapePostOrder(Shape* shape,
                                                 MutableVisitFn fn) {
  VisitMutable(shape, Order::kAfterParts, WithOk(fn)).IgnoreError();
}

void ShapeParts::ForEachLeafShape(const Shape& shape, VisitFn fn) {
  ForEachSubshape(shape, [&](const Shape& part, const ShapeIndex& index) {
    if (!part.IsTuple()) fn(part, index);
  });
}
void ShapeParts::ForEachMutableLeafShape(Shape* shape, MutableVisitFn fn) {
  ForEachMutableSubshape(shape, [&](Shape* part, const ShapeIndex& index) {
    if (!part->IsTuple()) fn(part, index);
  });
}
absl::Status ShapeParts::ForEachLeafShapeWithStatus(const Shape& shape,
                                                    StatusVisitFn fn) {
  return ForEachSubshapeWithStatus(
      shape, [&](const Shape& part, const ShapeIndex& index) {
        return part.IsTuple() ? absl::OkStatus() : fn(part, index);
      });
}
absl::Status ShapeParts::ForEachMutableLeafShapeWithStatus(
    Shape* shape, MutableStatusVisitFn fn) {
  return ForEachMutableSubshapeWithStatus(
      shape, [&](Shape* part, const ShapeIndex& index) {
        return part->IsTuple() ? absl::OkStatus() : fn(part, index);
      });
}

}  // namespace xla
