// Element-wise ops: arithmetic, comparisons, functions, selection and
// conversions. All functions: errors are kept in the builder.
// hlo/ops/elementwise_*.h have the element types and meaning of each op.
#ifndef XLA_HLO_BUILDER_OPS_ELEMENTWISE_H_
#define XLA_HLO_BUILDER_OPS_ELEMENTWISE_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Binary ops. The operands broadcast to equal dimensions: scalars always;
// operands of different ranks as broadcast_dimensions say, which must strictly
// increase; then dimensions of size 1. Source: broadcasting document.
using BroadcastDimensions = absl::Span<const int64_t>;
XlaOp Add(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Sub(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Mul(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Mulhi(XlaOp lhs, XlaOp rhs,
            BroadcastDimensions broadcast_dimensions = {});
XlaOp Div(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Rem(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Max(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Min(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Pow(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Atan2(XlaOp y, XlaOp x, BroadcastDimensions broadcast_dimensions = {});
XlaOp Complex(XlaOp real, XlaOp imag,
              BroadcastDimensions broadcast_dimensions = {});
XlaOp And(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Or(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Xor(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp LogicalAnd(XlaOp lhs, XlaOp rhs,
                 BroadcastDimensions broadcast_dimensions = {});
XlaOp LogicalOr(XlaOp lhs, XlaOp rhs,
                BroadcastDimensions broadcast_dimensions = {});
XlaOp ShiftLeft(XlaOp lhs, XlaOp rhs,
                BroadcastDimensions broadcast_dimensions = {});
XlaOp ShiftRightArithmetic(XlaOp lhs, XlaOp rhs,
                           BroadcastDimensions broadcast_dimensions = {});
XlaOp ShiftRightLogical(XlaOp lhs, XlaOp rhs,
                        BroadcastDimensions broadcast_dimensions = {});

// Take three and more operands.
inline XlaOp And(XlaOp op1, XlaOp op2, XlaOp op3) {
  return And(op1, And(op2, op3));
}
template <typename... XlaOps>
XlaOp And(XlaOp op1, XlaOp op2, XlaOp op3, const XlaOps&... operands) {
  return And(op1, And(op2, And(op3, operands...)));
}
inline XlaOp Or(XlaOp op1, XlaOp op2, XlaOp op3) {
  return Or(op1, Or(op2, op3));
}
template <typename... XlaOps>
XlaOp Or(XlaOp op1, XlaOp op2, XlaOp op3, const XlaOps&... operands) {
  return Or(op1, Or(op2, Or(op3, operands...)));
}

// Comparisons, PRED; broadcasting as above. Floats compare by IEEE 754's
// partial order unless the name or type says TotalOrder.
XlaOp Eq(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Ne(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Ge(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Gt(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Le(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp Lt(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions = {});
XlaOp EqTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions = {});
XlaOp NeTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions = {});
XlaOp GeTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions = {});
XlaOp GtTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions = {});
XlaOp LeTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions = {});
XlaOp LtTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions = {});
XlaOp Compare(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions,
              ComparisonDirection direction, Comparison::Type compare_type);
XlaOp Compare(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions,
              ComparisonDirection direction);
XlaOp Compare(XlaOp lhs, XlaOp rhs, ComparisonDirection direction);

// Exact unary ops.
XlaOp Abs(XlaOp operand);
XlaOp Ceil(XlaOp operand);
XlaOp Floor(XlaOp operand);
XlaOp Round(XlaOp operand);  // halves away from zero
XlaOp RoundNearestEven(XlaOp operand);
XlaOp Sign(XlaOp operand);
XlaOp Neg(XlaOp operand);
XlaOp Not(XlaOp operand);
XlaOp LogicalNot(XlaOp operand);
XlaOp Clz(XlaOp operand);
XlaOp PopulationCount(XlaOp operand);
XlaOp IsFinite(XlaOp operand);
XlaOp Real(XlaOp operand);
XlaOp Imag(XlaOp operand);
XlaOp Conj(XlaOp operand);
// Copies the operand to a default layout.
XlaOp Copy(XlaOp operand);

// Functions with the accuracy that they must have.
using OptionalAccuracy = const std::optional<ResultAccuracy>&;
XlaOp Erf(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Exp(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Expm1(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Log(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Log1p(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Logistic(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Cos(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Sin(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Tan(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Tanh(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Sqrt(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Rsqrt(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);
XlaOp Cbrt(XlaOp operand, OptionalAccuracy result_accuracy = std::nullopt);

// Return on_true where pred is true, else on_false; and min(max(operand, min),
// max). Scalar operands broadcast to the others' dimensions. Select between
// tuples, of equal shapes by a scalar pred, selects each element. Source:
// sections "Select", "Clamp".
XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false);
XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max);

// Conversions. Complex numbers become real by dropping the imaginary part.
// BitcastConvertType adds or removes the last dimension if widths differ.
XlaOp ConvertElementType(XlaOp operand, PrimitiveType new_element_type);
XlaOp BitcastConvertType(XlaOp operand, PrimitiveType new_element_type);
XlaOp StochasticConvertType(XlaOp operand, XlaOp random,
                            PrimitiveType new_element_type);
XlaOp ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits);

XlaOp operator-(XlaOp x);
XlaOp operator+(XlaOp x, XlaOp y);
XlaOp operator-(XlaOp x, XlaOp y);
XlaOp operator*(XlaOp x, XlaOp y);
XlaOp operator/(XlaOp x, XlaOp y);
XlaOp operator%(XlaOp x, XlaOp y);
XlaOp operator~(XlaOp x);
XlaOp operator!(XlaOp x);
XlaOp operator&(XlaOp x, XlaOp y);
XlaOp operator|(XlaOp x, XlaOp y);
XlaOp operator^(XlaOp x, XlaOp y);
XlaOp operator<<(XlaOp x, XlaOp y);
// An arithmetic shift for signed integers, a logical one for unsigned; other
// types are errors (shift_right_c1).
XlaOp operator>>(XlaOp x, XlaOp y);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_ELEMENTWISE_H_
