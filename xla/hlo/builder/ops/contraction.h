// Dot and related ops. The builder keeps errors of all functions; without
// precision_config the precision is the default; the elements of the result
// have the preferred type, else the more precise of the operands' types
// (dot_type_c1).
#ifndef XLA_HLO_BUILDER_OPS_CONTRACTION_H_
#define XLA_HLO_BUILDER_OPS_CONTRACTION_H_

#include <optional>

#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// [m,k] x [k,n] -> [m,n], and with vectors in place of matrices. Source:
// section "Dot".
XlaOp Dot(XlaOp lhs, XlaOp rhs,
          const PrecisionConfig* precision_config = nullptr,
          std::optional<PrimitiveType> preferred_element_type = std::nullopt);
// Source: section "DotGeneral".
XlaOp DotGeneral(
    XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& dimension_numbers,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp RaggedDot(
    XlaOp lhs, XlaOp rhs, XlaOp group_sizes,
    const RaggedDotDimensionNumbers& dimension_numbers,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ScaledDot(
    XlaOp lhs, XlaOp rhs, XlaOp lhs_scale, XlaOp rhs_scale,
    const DotDimensionNumbers& dimension_number,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_CONTRACTION_H_
