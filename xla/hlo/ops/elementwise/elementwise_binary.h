// Ops that combine the elements of two arrays of equal dimensions, and the
// rule by which XlaBuilder's operands broadcast to equal dimensions.
#ifndef XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_BINARY_H_
#define XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_BINARY_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/cost_class.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

struct CompareAttrs {
  ComparisonDirection direction = ComparisonDirection::kEq;
  // The default for the element type where unset.
  std::optional<Comparison::Type> type;
  static constexpr auto kFields = std::tuple(
      Field{"direction", &CompareAttrs::direction, "EQ, NE, GE, GT, LE or LT",
            Show::kRequired, "comparison_direction"},
      Field{"type", &CompareAttrs::type,
            "FLOAT, TOTALORDER, SIGNED or UNSIGNED, where not the default of "
            "the element type",
            Show::kOptional, "comparison_type"});
};

// T[dims] x T[dims] -> T[dims]; floats may differ in type, the more precise
// one results. complex: f32, f32 -> c64 and f64, f64 -> c128. Errors: rules
// elementwise_binary_c1 to _c4. Source: "Element-wise binary arithmetic
// operations"; HLO itself does not broadcast.
absl::StatusOr<Shape> InferElementwiseBinary(HloOpcode opcode,
                                             const InferArgs& args);

// T[dims] x T[dims] -> pred[dims]. Errors: the same, and compare_c1.
absl::StatusOr<Shape> InferCompare(const InferArgs& args,
                                   const CompareAttrs& attrs);

// The shape to which XlaBuilder broadcasts the operands of a binary op, its
// element type the more precise one. Dimension i of the operand of lower rank
// meets dimension broadcast_dimensions[i] of the other (none are needed for
// scalars and equal ranks); then dimensions of size 1 grow to the other's size.
// Errors: rules implicit_broadcast_c1 to _c8. Source: broadcasting document.
absl::StatusOr<Shape> InferBroadcastedBinary(
    const Shape& lhs, const Shape& rhs,
    absl::Span<const int64_t> broadcast_dimensions);

namespace elementwise_internal {

inline constexpr std::string_view kBinarySection =
    "Element-wise binary arithmetic operations";

template <HloOpcode kOpcode>
absl::StatusOr<Shape> InferBinary(const InferArgs& args) {
  return InferElementwiseBinary(kOpcode, args);
}

template <HloOpcode kOpcode, CostClass kCost = CostClass::kArithmetic>
constexpr OpDef Binary(std::string_view name, std::string_view summary,
                       std::string_view section = "-") {
  return {.opcode = kOpcode,
          .name = name,
          .operands = {"lhs", "rhs"},
          .infer = Infer<NoAttrs, InferBinary<kOpcode>>(),
          .elementwise = true,
          .cost_class = kCost,
          .summary = summary,
          .section = section};
}

template <HloOpcode kOpcode>
constexpr OpDef Commutative(std::string_view name, std::string_view summary,
                            std::string_view section = kBinarySection) {
  OpDef row = Binary<kOpcode>(name, summary, section);
  row.commutative = true;
  return row;
}

}  // namespace elementwise_internal

inline constexpr OpDef kAdd =
    elementwise_internal::Commutative<HloOpcode::kAdd>(
        "add", "Sum; integers wrap around, pred: or.");
inline constexpr OpDef kAnd =
    elementwise_internal::Commutative<HloOpcode::kAnd>(
        "and", "Logical and of pred, bitwise and of integers.");
inline constexpr OpDef kAtan2 =
    elementwise_internal::Binary<HloOpcode::kAtan2,
                                 CostClass::kLongTranscendental>(
        "atan2", "Angle of the point (rhs, lhs), in radians.");
inline constexpr OpDef kComplex =
    elementwise_internal::Binary<HloOpcode::kComplex>(
        "complex", "Complex number of real and imaginary part.");
inline constexpr OpDef kDivide =
    elementwise_internal::Binary<HloOpcode::kDivide, CostClass::kDivision>(
        "divide",
        "Quotient; integers truncate, x / 0 is all ones, INT_MIN / -1 is "
        "INT_MIN.",
        elementwise_internal::kBinarySection);
inline constexpr OpDef kMaximum =
    elementwise_internal::Commutative<HloOpcode::kMaximum>(
        "maximum", "The greater one; NaN if either is, pred: or.");
inline constexpr OpDef kMinimum =
    elementwise_internal::Commutative<HloOpcode::kMinimum>(
        "minimum", "The lesser one; NaN if either is, pred: and.");
inline constexpr OpDef kMulhi = elementwise_internal::Binary<HloOpcode::kMulhi>(
    "mulhi", "The upper half of the product of two integers.");
inline constexpr OpDef kMultiply =
    elementwise_internal::Commutative<HloOpcode::kMultiply>(
        "multiply", "Product; integers wrap around, pred: and.");
inline constexpr OpDef kOr = elementwise_internal::Commutative<HloOpcode::kOr>(
    "or", "Logical or of pred, bitwise or of integers.");
inline constexpr OpDef kPower =
    elementwise_internal::Binary<HloOpcode::kPower,
                                 CostClass::kLongTranscendental>(
        "power", "lhs to the power of rhs.");
inline constexpr OpDef kRemainder =
    elementwise_internal::Binary<HloOpcode::kRemainder, CostClass::kRemainder>(
        "remainder",
        "Rest of the truncated division, with the sign of lhs; integer x % 0 "
        "is x.",
        elementwise_internal::kBinarySection);
inline constexpr OpDef kShiftLeft =
    elementwise_internal::Binary<HloOpcode::kShiftLeft>(
        "shift-left", "Bits moved up; 0 from the element's width on.");
inline constexpr OpDef kShiftRightArithmetic =
    elementwise_internal::Binary<HloOpcode::kShiftRightArithmetic>(
        "shift-right-arithmetic",
        "Bits moved down, copies of the sign bit from above.");
inline constexpr OpDef kShiftRightLogical =
    elementwise_internal::Binary<HloOpcode::kShiftRightLogical>(
        "shift-right-logical", "Bits moved down, zeros from above.");
inline constexpr OpDef kSubtract =
    elementwise_internal::Binary<HloOpcode::kSubtract>(
        "subtract", "Difference; integers wrap around.",
        elementwise_internal::kBinarySection);
inline constexpr OpDef kXor =
    elementwise_internal::Commutative<HloOpcode::kXor>(
        "xor", "Logical or bitwise exclusive or.", "-");

inline constexpr OpDef kCompare = {
    .opcode = HloOpcode::kCompare,
    .name = "compare",
    .operands = {"lhs", "rhs"},
    .attrs = AttrsOf<CompareAttrs>(),
    .infer = Infer<CompareAttrs, InferCompare>(),
    .elementwise = true,
    .cost_class = CostClass::kArithmetic,
    .summary =
        "Compares elements: partial order of floats (IEEE 754) or the "
        "total one, -NaN < -inf < -0 < +0 < inf < NaN.",
    .section = "Element-wise comparison operations",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_BINARY_H_
