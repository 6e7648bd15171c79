// Element types of dots and convolutions.
#include "xla/hlo/builder/result_type.h"

#include "absl/strings/str_cat.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace builder_internal {

absl::StatusOr<PrimitiveType> ProductType(
    const Shape& lhs, const Shape& rhs,
    std::optional<PrimitiveType> preferred_element_type) {
  // The rules of the op refuse operands that are not arrays.
  if (!lhs.IsArray() || !rhs.IsArray()) return F32;
  const PrimitiveType type = ShapeUtil::HigherPrecisionElementType(lhs, rhs);
  const PrimitiveType preferred = preferred_element_type.value_or(type);
  // dot_type_c1: the preferred type is one of arrays, and no narrower than
  // that of operands that are not floating point.
  if (!primitive_util::IsArrayType(preferred) ||
      (!primitive_util::IsFloatingPointType(type) &&
       primitive_util::BitWidth(preferred) < primitive_util::BitWidth(type))) {
    return RuleError(
        "dot_type_c1",
        absl::StrCat("preferred_element_type ", PrimitiveType_Name(preferred),
                     " does not do for operands of type ",
                     PrimitiveType_Name(type)));
  }
  return preferred;
}

}  // namespace builder_internal

}  // namespace xla
