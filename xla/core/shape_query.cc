// ShapeUtil: comparison, predicates and parts of shapes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Visits `shape` and its parts, tuples before their elements. `S` is Shape* or
// const Shape*.
template <typename S, typename Fn>
absl::Status Visit(S shape, ShapeIndex& index, const Fn& fn) {
  TF_RETURN_IF_ERROR(fn(shape, index));
  if (!shape->IsTuple()) return absl::OkStatus();
  for (int i = 0; i < shape->tuple_shapes_size(); ++i) {
    index.push_back(i);
    if constexpr (std::is_same_v<S, Shape*>) {
      TF_RETURN_IF_ERROR(Visit(shape->mutable_tuple_shapes(i), index, fn));
    } else {
      TF_RETURN_IF_ERROR(Visit(&shape->tuple_shapes(i), index, fn));
    }
    index.pop_back();
  }
  return absl::OkStatus();
}

}  // namespace

std::string ShapeUtil::HumanString(const Shape& shape) {
  return shape.ToString(/*print_layout=*/false);
}
std::string ShapeUtil::HumanStringWithLayout(const Shape& shape) {
  return shape.ToString(/*print_layout=*/true);
}
std::string ShapeUtil::HumanString(const ProgramShape& program_shape) {
  return program_shape.ToString();
}
absl::StatusOr<Shape> ShapeUtil::ParseShapeString(absl::string_view text) {
  return ParseShape(text);
}

bool ShapeUtil::Equal(const Shape& a, const Shape& b) { return a == b; }
bool ShapeUtil::EqualIgnoringElementType(const Shape& a, const Shape& b) {
  return Shape::Equal().IgnoreElementType()(a, b);
}
bool ShapeUtil::EqualIgnoringFpPrecision(const Shape& a, const Shape& b) {
  return Shape::Equal().IgnoreFpPrecision()(a, b);
}

bool ShapeUtil::EqualStructure(const Shape& a, const Shape& b) {
  if (a.IsTuple() != b.IsTuple()) return false;
  if (!a.IsTuple()) return true;
  return std::equal(a.tuple_shapes().begin(), a.tuple_shapes().end(),
                    b.tuple_shapes().begin(), b.tuple_shapes().end(),
                    EqualStructure);
}

bool ShapeUtil::Compatible(const Shape& a, const Shape& b) {
  return Shape::Equal().IgnoreDynamicDimension().IgnoreLayout()(a, b);
}
bool ShapeUtil::CompatibleIgnoringElementType(const Shape& a, const Shape& b) {
  return Shape::Equal()
      .IgnoreDynamicDimension()
      .IgnoreElementType()
      .IgnoreLayout()(a, b);
}
bool ShapeUtil::CompatibleKind(const Shape& a, const Shape& b) {
  return Shape::Equal()
      .IgnoreElementType()
      .IgnoreLayout()
      .IgnoreDimensions()
      .IgnoreDynamicDimension()(a, b);
}
bool ShapeUtil::CompatibleIgnoringFpPrecision(const Shape& a, const Shape& b) {
  return Shape::Equal()
      .IgnoreDynamicDimension()
      .IgnoreFpPrecision()
      .IgnoreLayout()(a, b);
}
bool ShapeUtil::SameDimensions(const Shape& a, const Shape& b) {
  return a.dimensions() == b.dimensions();
}
bool ShapeUtil::SameElementTypeIgnoringFpPrecision(const Shape& a,
                                                   const Shape& b) {
  return SameElementType(a, b) ||
         (ElementIsFloating(a) && ElementIsFloating(b));
}

PrimitiveType ShapeUtil::HigherPrecisionElementType(const Shape& a,
                                                    const Shape& b) {
  return primitive_util::HigherPrecisionType(a.element_type(),
                                             b.element_type());
}

bool ShapeUtil::DynamicArrayShapeIsCompatible(const Shape& dynamic_shape,
                                              const Shape& bounded_shape) {
  if (!SameRank(dynamic_shape, bounded_shape)) return false;
  for (int i = 0; i < dynamic_shape.dimensions_size(); ++i) {
    if (!bounded_shape.is_unbounded_dynamic_dimension(i) &&
        dynamic_shape.dimensions(i) > bounded_shape.dimensions(i)) {
      return false;
    }
  }
  return true;
}

bool ShapeUtil::DynamicShapeIsCompatible(const Shape& dynamic_shape,
                                         const Shape& bounded_shape) {
  if (!dynamic_shape.IsTuple() || !bounded_shape.IsTuple()) {
    return SameElementType(dynamic_shape, bounded_shape) &&
           DynamicArrayShapeIsCompatible(dynamic_shape, bounded_shape);
  }
  return std::equal(
      dynamic_shape.tuple_shapes().begin(), dynamic_shape.tuple_shapes().end(),
      bounded_shape.tuple_shapes().begin(), bounded_shape.tuple_shapes().end(),
      DynamicShapeIsCompatible);
}

bool ShapeUtil::HasPrimitiveType(const Shape& shape, PrimitiveType type) {
  return shape.element_type() == type ||
         std::any_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     [type](const Shape& part) {
                       return HasPrimitiveType(part, type);
                     });
}

bool ShapeUtil::HasZeroElements(const Shape& shape) {
  return std::find(shape.dimensions().begin(), shape.dimensions().end(), 0) !=
         shape.dimensions().end();
}
bool ShapeUtil::IsZeroElementArray(const Shape& shape) {
  return shape.IsArray() && HasZeroElements(shape);
}

int64_t ShapeUtil::TrueRank(const Shape& shape) {
  return shape.rank() -
         std::count(shape.dimensions().begin(), shape.dimensions().end(), 1);
}

int64_t ShapeUtil::TrueNumDimensions(const Shape& shape) {
  return TrueRank(shape);
}

bool ShapeUtil::IsEffectivelyMostMajorDimension(const Shape& shape,
                                                int64_t dimension) {
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    const int64_t major = LayoutUtil::Major(shape.layout(), i);
    if (major == dimension) return true;
    if (shape.dimensions(major) != 1) return false;
  }
  return false;
}

absl::StatusOr<int64_t> ShapeUtil::CanonicalDimensionNumber(
    const Shape& shape, int64_t dimension_number) {
  if (dimension_number < -shape.rank() || dimension_number >= shape.rank()) {
    return InvalidArgument(
        "dimension number %d is out of range for %s, which takes %d to %d",
        dimension_number, HumanString(shape), -shape.rank(), shape.rank() - 1);
  }
  return dimension_number < 0 ? dimension_number + shape.rank()
                              : dimension_number;
}
int64_t ShapeUtil::GetDimensionNumber(const Shape& shape,
                                      int64_t dimension_number) {
  absl::StatusOr<int64_t> result =
      CanonicalDimensionNumber(shape, dimension_number);
  CHECK(result.ok()) << result.status().ToString();
  return *result;
}
int64_t ShapeUtil::GetDimension(const Shape& shape, int64_t dimension_number) {
  return shape.dimensions(GetDimensionNumber(shape, dimension_number));
}

bool ShapeUtil::ElementIsIntegral(const Shape& shape) {
  return primitive_util::IsIntegralType(shape.element_type());
}
bool ShapeUtil::ElementIsFloating(const Shape& shape) {
  return primitive_util::IsFloatingPointType(shape.element_type());
}
bool ShapeUtil::ElementIsComplex(const Shape& shape) {
  return primitive_util::IsComplexType(shape.element_type());
}
bool ShapeUtil::ElementIsSigned(const Shape& shape) {
  return primitive_util::IsSignedIntegralType(shape.element_type()) ||
         ElementIsFloating(shape);
}
bool ShapeUtil::ElementHasBitWidth(const Shape& shape, int bits) {
  return shape.IsArray() &&
         primitive_util::BitWidth(shape.element_type()) == bits;
}
bool ShapeUtil::ElementIsIntegralWithBits(const Shape& shape, int bits) {
  return ElementIsIntegral(shape) && ElementHasBitWidth(shape, bits);
}
bool ShapeUtil::HasDegenerateDimensions(const Shape& shape) {
  return TrueRank(shape) != shape.rank();
}
DimensionVector ShapeUtil::CreateDimensionVectorFromShape(const Shape& shape) {
  return DimensionVector(shape.dimensions().begin(), shape.dimensions().end());
}

bool ShapeUtil::IsNestedTuple(const Shape& shape) {
  return shape.IsTuple() &&
         std::any_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     [](const Shape& part) { return part.IsTuple(); });
}
int64_t ShapeUtil::TupleElementCount(const Shape& shape) {
  CHECK(shape.IsTuple()) << HumanString(shape);
  return shape.tuple_shapes_size();
}
const Shape& ShapeUtil::GetTupleElementShape(const Shape& shape,
                                             int64_t index) {
  CHECK(shape.IsTuple()) << HumanString(shape);
  CHECK(index >= 0 && index < TupleElementCount(shape)) << index;
  return shape.tuple_shapes(index);
}
int64_t ShapeUtil::SubshapeCount(const Shape& shape) {
  int64_t count = 1;
  if (!shape.IsTuple()) return count;
  for (const Shape& part : shape.tuple_shapes()) count += SubshapeCount(part);
  return count;
}

Shape ShapeUtil::SliceTuple(const Shape& tuple, int64_t start, int64_t limit) {
  CHECK(tuple.IsTuple()) << HumanString(tuple);
  CHECK(0 <= start && start <= limit && limit <= TupleElementCount(tuple));
  return Shape(std::vector<Shape>(tuple.tuple_shapes().begin() + start,
                                  tuple.tuple_shapes().begin() + limit));
}
void ShapeUtil::AppendShapeToTuple(const Shape& shape, Shape* tuple_shape) {
  CHECK(tuple_shape->IsTuple());
  tuple_shape->mutable_tuple_shapes()->push_back(shape);
}
void ShapeUtil::UpdateTupleShape(const Shape& shape, int64_t index,
                                 Shape* tuple_shape) {
  CHECK(tuple_shape->IsTuple());
  CHECK(index >= 0 && index < tuple_shape->tuple_shapes_size()) << index;
  *tuple_shape->mutable_tuple_shapes(index) = shape;
}

absl::StatusOr<const Shape*> ShapeUtil::TryGetSubshape(const Shape& shape,
                                                       ShapeIndexView index) {
  const Shape* part = &shape;
  for (int64_t i : index) {
    if (!part->IsTuple() || i < 0 || i >= part->tuple_shapes_size()) {
      return InvalidArgument("shape index %s does not exist in %s",
                             ShapeIndex(index).ToString(), HumanString(shape));
    }
    part = &part->tuple_shapes(i);
  }
  return part;
}
bool ShapeUtil::IndexIsValid(const Shape& shape, ShapeIndexView index) {
  return TryGetSubshape(shape, index).ok();
}
const Shape& ShapeUtil::GetSubshape(const Shape& shape, ShapeIndexView index) {
  const Shape* part = &shape;
  for (int64_t i : index) {
    CHECK(part->IsTuple() && i >= 0 && i < part->tuple_shapes_size())
        << ShapeIndex(index).ToString() << " of " << HumanString(shape);
    part = &part->tuple_shapes(i);
  }
  return *part;
}
const Shape& ShapeUtil::GetSubshapeOneIndex(const Shape& shape, int64_t index) {
  return GetSubshape(shape, {index});
}
Shape* ShapeUtil::GetMutableSubshape(Shape* shape, ShapeIndexView index) {
  return const_cast<Shape*>(&GetSubshape(*shape, index));
}

bool ShapeUtil::IsLeafIndex(const Shape& shape, const ShapeIndex& index) {
  return !GetSubshape(shape, index).IsTuple();
}
int64_t ShapeUtil::GetLeafCount(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  int64_t count = 0;
  for (const Shape& part : shape.tuple_shapes()) count += GetLeafCount(part);
  return count;
}
std::vector<ShapeUtil::IndexedShape> ShapeUtil::GetLeafShapes(
    const Shape& shape) {
  std::vector<IndexedShape> leaves;
  ForEachLeafShape(shape, [&](const Shape& leaf, const ShapeIndex& index) {
    leaves.push_back({index, leaf});
  });
  return leaves;
}
std::vector<const Shape*> ShapeUtil::FlattenTupleShape(const Shape& shape) {
  std::vector<const Shape*> leaves;
  ForEachLeafShape(shape, [&](const Shape& leaf, const ShapeIndex&) {
    leaves.push_back(&leaf);
  });
  return leaves;
}

absl::Status ShapeUtil::ForEachSubshapeWithStatus(const Shape& shape,
                                                  StatusVisitFn fn) {
  ShapeIndex index;
  return Visit(&shape, index, [&](const Shape* part, const ShapeIndex& at) {
    return fn(*part, at);
  });
}
absl::Status ShapeUtil::ForEachMutableSubshapeWithStatus(
    Shape* shape, MutableStatusVisitFn fn) {
  ShapeIndex index;
  return Visit(shape, index,
               [&](Shape* part, const ShapeIndex& at) { return fn(part, at); });
}
void ShapeUtil::ForEachSubshape(const Shape& shape, VisitFn fn) {
  ForEachSubshapeWithStatus(shape, [&](const Shape& part,
                                       const ShapeIndex& index) {
    fn(part, index);
    return absl::OkStatus();
  }).IgnoreError();
}
void ShapeUtil::ForEachMutableSubshape(Shape* shape, MutableVisitFn fn) {
  ForEachMutableSubshapeWithStatus(shape, [&](Shape* part,
                                              const ShapeIndex& index) {
    fn(part, index);
    return absl::OkStatus();
  }).IgnoreError();
}
void ShapeUtil::ForEachLeafShape(const Shape& shape, VisitFn fn) {
  ForEachSubshape(shape, [&](const Shape& part, const ShapeIndex& index) {
    if (!part.IsTuple()) fn(part, index);
  });
}
void ShapeUtil::ForEachMutableLeafShape(Shape* shape, MutableVisitFn fn) {
  ForEachMutableSubshape(shape, [&](Shape* part, const ShapeIndex& index) {
    if (!part->IsTuple()) fn(part, index);
  });
}

}  // namespace xla
