// Binary ops and comparisons with implicit broadcasting; operators.
#include "xla/hlo/ops/elementwise/elementwise_binary.h"

#include <optional>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::BroadcastBoth;
using builder_internal::BuilderOf;
using builder_internal::Emit;

XlaOp Binary(HloOpcode opcode, XlaOp lhs, XlaOp rhs,
             BroadcastDimensions broadcast_dimensions) {
  return Emit(
      BuilderOf({lhs, rhs}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(auto operands,
                            BroadcastBoth(b, lhs, rhs, broadcast_dimensions));
        return b.AddOp(opcode, {operands.first, operands.second});
      });
}

// The order of comparison that a function asks for.
enum class Order { kDefault, kTotal };

absl::StatusOr<XlaOp> AddCompare(XlaBuilder& b, XlaOp lhs, XlaOp rhs,
                                 BroadcastDimensions broadcast_dimensions,
                                 ComparisonDirection direction,
                                 std::optional<Comparison::Type> type) {
  TF_ASSIGN_OR_RETURN(auto operands,
                      BroadcastBoth(b, lhs, rhs, broadcast_dimensions));
  TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(lhs));
  // HLO text omits the default.
  if (type == DefaultComparisonType(shape->element_type())) type.reset();
  return b.AddOp(HloOpcode::kCompare, {operands.first, operands.second},
                 CompareAttrs{direction, type});
}

XlaOp Comparing(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions,
                ComparisonDirection direction, Order order = Order::kDefault) {
  return Emit(
      BuilderOf({lhs, rhs}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(lhs));
        std::optional<Comparison::Type> type;
        // Other types have a single order, which is total.
        if (order == Order::kTotal &&
            primitive_util::IsFloatingPointType(shape->element_type())) {
          type = Comparison::Type::kFloatTotalOrder;
        }
        return AddCompare(b, lhs, rhs, broadcast_dimensions, direction, type);
      });
}

}  // namespace

XlaOp Add(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kAdd, lhs, rhs, broadcast_dimensions);
}
XlaOp Sub(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kSubtract, lhs, rhs, broadcast_dimensions);
}
XlaOp Mul(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kMultiply, lhs, rhs, broadcast_dimensions);
}
XlaOp Mulhi(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kMulhi, lhs, rhs, broadcast_dimensions);
}
XlaOp Div(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kDivide, lhs, rhs, broadcast_dimensions);
}
XlaOp Rem(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kRemainder, lhs, rhs, broadcast_dimensions);
}
XlaOp Max(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kMaximum, lhs, rhs, broadcast_dimensions);
}
XlaOp Min(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kMinimum, lhs, rhs, broadcast_dimensions);
}
XlaOp Pow(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kPower, lhs, rhs, broadcast_dimensions);
}
XlaOp Atan2(XlaOp y, XlaOp x, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kAtan2, y, x, broadcast_dimensions);
}
XlaOp Complex(XlaOp real, XlaOp imag,
              BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kComplex, real, imag, broadcast_dimensions);
}
XlaOp And(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kAnd, lhs, rhs, broadcast_dimensions);
}
XlaOp Or(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kOr, lhs, rhs, broadcast_dimensions);
}
XlaOp Xor(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kXor, lhs, rhs, broadcast_dimensions);
}
XlaOp LogicalAnd(XlaOp lhs, XlaOp rhs,
                 BroadcastDimensions broadcast_dimensions) {
  return And(lhs, rhs, broadcast_dimensions);
}
XlaOp LogicalOr(XlaOp lhs, XlaOp rhs,
                BroadcastDimensions broadcast_dimensions) {
  return Or(lhs, rhs, broadcast_dimensions);
}
XlaOp ShiftLeft(XlaOp lhs, XlaOp rhs,
                BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kShiftLeft, lhs, rhs, broadcast_dimensions);
}
XlaOp ShiftRightArithmetic(XlaOp lhs, XlaOp rhs,
                           BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kShiftRightArithmetic, lhs, rhs,
                broadcast_dimensions);
}
XlaOp ShiftRightLogical(XlaOp lhs, XlaOp rhs,
                        BroadcastDimensions broadcast_dimensions) {
  return Binary(HloOpcode::kShiftRightLogical, lhs, rhs, broadcast_dimensions);
}

XlaOp Eq(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kEq);
}
XlaOp Ne(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kNe);
}
XlaOp Ge(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kGe);
}
XlaOp Gt(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kGt);
}
XlaOp Le(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kLe);
}
XlaOp Lt(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kLt);
}
XlaOp EqTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kEq,
                   Order::kTotal);
}
XlaOp NeTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kNe,
                   Order::kTotal);
}
XlaOp GeTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kGe,
                   Order::kTotal);
}
XlaOp GtTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kGt,
                   Order::kTotal);
}
XlaOp LeTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kLe,
                   Order::kTotal);
}
XlaOp LtTotalOrder(XlaOp lhs, XlaOp rhs,
                   BroadcastDimensions broadcast_dimensions) {
  return Comparing(lhs, rhs, broadcast_dimensions, ComparisonDirection::kLt,
                   Order::kTotal);
}

XlaOp Compare(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions,
              ComparisonDirection direction, Comparison::Type compare_type) {
  return Emit(BuilderOf({lhs, rhs}), [&](XlaBuilder& b) {
    return AddCompare(b, lhs, rhs, broadcast_dimensions, direction,
                      compare_type);
  });
}
XlaOp Compare(XlaOp lhs, XlaOp rhs, BroadcastDimensions broadcast_dimensions,
              ComparisonDirection direction) {
  return Comparing(lhs, rhs, broadcast_dimensions, direction);
}
XlaOp Compare(XlaOp lhs, XlaOp rhs, ComparisonDirection direction) {
  return Comparing(lhs, rhs, {}, direction);
}

XlaOp operator-(XlaOp x) { return Neg(x); }
XlaOp operator+(XlaOp x, XlaOp y) { return Add(x, y); }
XlaOp operator-(XlaOp x, XlaOp y) { return Sub(x, y); }
XlaOp operator*(XlaOp x, XlaOp y) { return Mul(x, y); }
XlaOp operator/(XlaOp x, XlaOp y) { return Div(x, y); }
XlaOp operator%(XlaOp x, XlaOp y) { return Rem(x, y); }
XlaOp operator~(XlaOp x) { return Not(x); }
XlaOp operator!(XlaOp x) { return Not(x); }
XlaOp operator&(XlaOp x, XlaOp y) { return And(x, y); }
XlaOp operator|(XlaOp x, XlaOp y) { return Or(x, y); }
XlaOp operator^(XlaOp x, XlaOp y) { return Xor(x, y); }
XlaOp operator<<(XlaOp x, XlaOp y) { return ShiftLeft(x, y); }
XlaOp operator>>(XlaOp x, XlaOp y) {
  return Emit(BuilderOf({x, y}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(x));
    // shift_right_c1: what operator>> shifts is an array of integers.
    if (!shape->IsArray() || !ShapeUtil::ElementIsIntegral(*shape)) {
      return RuleError(
          "shift_right_c1",
          absl::StrCat("Argument to >> operator does not have an integral "
                       "type (",
                       ShapeUtil::HumanString(*shape), ")"));
    }
    return ShapeUtil::ElementIsSigned(*shape) ? ShiftRightArithmetic(x, y)
                                              : ShiftRightLogical(x, y);
  });
}

}  // namespace xla
