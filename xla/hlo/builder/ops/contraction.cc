// Dot and related ops.
#include "xla/hlo/builder/ops/contraction.h"

#include <utility>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/result_type.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla {
namespace {

using builder_internal::BuilderOf;
using builder_internal::Emit;

PrecisionConfig OrDefault(const PrecisionConfig* config) {
  return config == nullptr ? PrecisionConfig() : *config;
}

// Adds the op with operands lhs, rhs, ...; the rules of dots take only the
// element type from the declared shape.
absl::StatusOr<XlaOp> AddDot(
    XlaBuilder& b, HloOpcode opcode, absl::Span<const XlaOp> operands,
    Attrs attrs, std::optional<PrimitiveType> preferred_element_type) {
  TF_ASSIGN_OR_RETURN(const Shape* lhs, b.GetShapePtr(operands[0]));
  TF_ASSIGN_OR_RETURN(const Shape* rhs, b.GetShapePtr(operands[1]));
  TF_ASSIGN_OR_RETURN(
      PrimitiveType type,
      builder_internal::ProductType(*lhs, *rhs, preferred_element_type));
  const Shape declared = ShapeUtil::MakeShape(type, {});
  return b.AddOp(opcode, operands, std::move(attrs), {}, &declared);
}

}  // namespace

XlaOp Dot(XlaOp lhs, XlaOp rhs, const PrecisionConfig* precision_config,
          std::optional<PrimitiveType> preferred_element_type) {
  return Emit(
      BuilderOf({lhs, rhs}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(lhs));
        DotDimensionNumbers numbers;
        numbers.add_lhs_contracting_dimensions(shape->rank() == 1 ? 0 : 1);
        numbers.add_rhs_contracting_dimensions(0);
        return AddDot(b, HloOpcode::kDot, {lhs, rhs},
                      DotAttrs{numbers, OrDefault(precision_config)},
                      preferred_element_type);
      });
}

XlaOp DotGeneral(XlaOp lhs, XlaOp rhs,
                 const DotDimensionNumbers& dimension_numbers,
                 const PrecisionConfig* precision_config,
                 std::optional<PrimitiveType> preferred_element_type) {
  return Emit(BuilderOf({lhs, rhs}), [&](XlaBuilder& b) {
    return AddDot(b, HloOpcode::kDot, {lhs, rhs},
                  DotAttrs{dimension_numbers, OrDefault(precision_config)},
                  preferred_element_type);
  });
}

XlaOp RaggedDot(XlaOp lhs, XlaOp rhs, XlaOp group_sizes,
                const RaggedDotDimensionNumbers& dimension_numbers,
                const PrecisionConfig* precision_config,
                std::optional<PrimitiveType> preferred_element_type) {
  return Emit(BuilderOf({lhs, rhs, group_sizes}), [&](XlaBuilder& b) {
    return AddDot(
        b, HloOpcode::kRaggedDot, {lhs, rhs, group_sizes},
        RaggedDotAttrs{dimension_numbers, OrDefault(precision_config)},
        preferred_element_type);
  });
}

XlaOp ScaledDot(XlaOp lhs, XlaOp rhs, XlaOp lhs_scale, XlaOp rhs_scale,
                const DotDimensionNumbers& dimension_number,
                const PrecisionConfig* precision_config,
                std::optional<PrimitiveType> preferred_element_type) {
  return Emit(BuilderOf({lhs, rhs, lhs_scale, rhs_scale}), [&](XlaBuilder& b) {
    return AddDot(b, HloOpcode::kScaledDot, {lhs, rhs, lhs_scale, rhs_scale},
                  ScaledDotAttrs{dimension_number, OrDefault(precision_config)},
                  preferred_element_type);
  });
}

}  // namespace xla
