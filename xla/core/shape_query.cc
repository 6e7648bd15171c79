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
std::string ShapeUtil::HumanString(const Shape& shape) {
  return shape.ToString(/*print_layout=*/false);
}
std::string ShapeUtil::HumanStringWithLayout(const Shape& shape) {
  return shape.ToString(/*print_layout=*/true);
}
std::string ShapeUtil::HumanString(const ProgramShape& program_shape) {
  return program_shape.ToString();
}
void ShapeUtil::PrintHumanString(Printer* printer, const Shape& shape) {
  shape.Print(printer, /*print_layout=*/false);
}
void ShapeUtil::PrintHumanStringWithLayout(Printer* printer,
                                           const Shape& shape) {
  shape.Print(printer, /*print_layout=*/true);
}
void ShapeUtil::PrintHumanString(Printer* printer,
                                 const ProgramShape& program_shape) {
  program_shape.Print(printer);
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
bool ShapeUtil::CompatibleKind(const Shape& a, const Shape& b,
                               bool ignore_buffer) {
  return Shape::Equal()
      .IgnoreBuffer(ignore_buffer)
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
  if (!SameRank(a, b)) return false;
  for (int i = 0; i < a.dimensions_size(); ++i) {
    if (a.dimensions(i) != b.dimensions(i) &&
        !a.is_unbounded_dynamic_dimension(i) &&
        !b.is_unbounded_dynamic_dimension(i)) {
      return false;
    }
  }
  return true;
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
    return dynamic_shape.IsTuple() == bounded_shape.IsTuple() &&
           (dynamic_shape.is_static() ||
            DynamicArrayShapeIsCompatible(dynamic_shape, bounded_shape));
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

int64_t ShapeUtil::GetDimensionNumber(const Shape& shape,
                                      int64_t dimension_number) {
  if (dimension_number < 0) dimension_number += shape.rank();
  CHECK_GE(dimension_number, 0) << HumanString(shape);
  CHECK_LT(dimension_number, shape.rank()) << HumanString(shape);
  return dimension_number;
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
bool ShapeUtil::ElementCanUpcast(const Shape& from, const Shape& to) {
  return HigherPrecisionElementType(from, to) == to.element_type();
}
bool ShapeUtil::HasDegenerateDimensions(const Shape& shape) {
  return TrueRank(shape) != shape.rank();
}
DimensionVector ShapeUtil::CreateDimensionVectorFromShape(const Shape& shape) {
  return DimensionVector(shape.dimensions().begin(), shape.dimensions().end());
}

}  // namespace xla
