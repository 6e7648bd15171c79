// Shape rules of element-wise ops on two arrays, and XlaBuilder's broadcasting.
#include "xla/hlo/ops/elementwise/elementwise_binary.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"

namespace xla {
namespace {

std::string Both(const Shape& lhs, const Shape& rhs) {
  return absl::StrCat(ShapeUtil::HumanString(lhs), " and ",
                      ShapeUtil::HumanString(rhs));
}

// Empty if the op takes elements of `type`, else what it takes.
absl::string_view WantedTypes(HloOpcode opcode, PrimitiveType type) {
  using namespace primitive_util;  // NOLINT(build/namespaces)
  switch (opcode) {
    case HloOpcode::kAnd:
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      if (type == PRED || IsIntegralType(type)) return "";
      return "pred or integer";
    case HloOpcode::kAtan2:
      if (IsFloatingPointType(type) || IsComplexType(type)) return "";
      return "floating-point or complex";
    case HloOpcode::kComplex:
      return type == F32 || type == F64 ? "" : "f32 or f64";
    case HloOpcode::kDivide:
    case HloOpcode::kPower:
    case HloOpcode::kRemainder:
    case HloOpcode::kShiftLeft:
    case HloOpcode::kShiftRightArithmetic:
    case HloOpcode::kShiftRightLogical:
    case HloOpcode::kSubtract:
      return type != PRED ? "" : "integer, floating-point or complex";
    default:
      return "";
  }
}

// elementwise_binary_c1, _c2 and _c4, which compare has too: the more precise
// element type, the merged dimensions.
absl::StatusOr<Shape> InferSameShape(HloOpcode opcode, const InferArgs& args) {
  const Shape& lhs = args.operand(0);
  const Shape& rhs = args.operand(1);
  auto error = [&](absl::string_view rule, absl::string_view what) {
    return RuleError(rule, absl::StrCat(HloOpcodeString(opcode), " takes ",
                                        what, ", got ", Both(lhs, rhs)));
  };
  // elementwise_binary_c1: both operands are arrays
  if (!lhs.IsArray() || !rhs.IsArray()) {
    return error("elementwise_binary_c1", "two arrays");
  }
  // elementwise_binary_c2: the element types are the same, or both floats
  if (!ShapeUtil::SameElementTypeIgnoringFpPrecision(lhs, rhs)) {
    return error("elementwise_binary_c2", "elements of one type");
  }
  // elementwise_binary_c4: the dimensions are the same
  bool same = lhs.rank() == rhs.rank();
  Shape merged = lhs;
  for (int i = 0; same && i < lhs.rank(); ++i) {
    same = MergeDimension(lhs, rhs, i, &merged);
    // XLA lets the size 1 grow to one that is not known.
    if ((lhs.dimensions(i) == 1 && rhs.is_unbounded_dynamic_dimension(i)) ||
        (rhs.dimensions(i) == 1 && lhs.is_unbounded_dynamic_dimension(i))) {
      merged.set_unbounded_dynamic_dimension(i);
    }
  }
  if (!same) {
    return error("elementwise_binary_c4", "arrays of the same dimensions");
  }
  return ShapeWithElementType(merged,
                              ShapeUtil::HigherPrecisionElementType(lhs, rhs));
}

}  // namespace

absl::StatusOr<Shape> InferElementwiseBinary(HloOpcode opcode,
                                             const InferArgs& args) {
  TF_ASSIGN_OR_RETURN(Shape result, InferSameShape(opcode, args));
  // elementwise_binary_c3: the op takes the operands' element types
  for (const Shape* operand : args.operands) {
    const absl::string_view wanted =
        WantedTypes(opcode, operand->element_type());
    if (!wanted.empty()) {
      return RuleError("elementwise_binary_c3",
                       absl::StrCat(HloOpcodeString(opcode), " takes ", wanted,
                                    " elements, got ",
                                    Both(args.operand(0), args.operand(1))));
    }
  }
  if (opcode != HloOpcode::kComplex) return result;
  if (args.operand(0).element_type() != args.operand(1).element_type()) {
    return RuleError("elementwise_binary_c3",
                     absl::StrCat("complex takes parts of one type, got ",
                                  Both(args.operand(0), args.operand(1))));
  }
  return ShapeWithElementType(
      result, primitive_util::ComplexType(result.element_type()));
}

absl::StatusOr<Shape> InferCompare(const InferArgs& args,
                                   const CompareAttrs& attrs) {
  TF_ASSIGN_OR_RETURN(Shape result, InferSameShape(HloOpcode::kCompare, args));
  // compare_c1: complex numbers have no total order.
  if (attrs.type == Comparison::Type::kFloatTotalOrder &&
      ShapeUtil::ElementIsComplex(args.operand(0))) {
    return RuleError("compare_c1",
                     absl::StrCat("there is no TOTALORDER of ",
                                  ShapeUtil::HumanString(args.operand(0))));
  }
  return ShapeWithElementType(result, PRED);
}

namespace {

// `small` with the rank of `large`: its dimensions where `broadcast_dimensions`
// puts them, the sizes of `large` elsewhere.
absl::StatusOr<Shape> BroadcastInDim(
    const Shape& small, const Shape& large,
    absl::Span<const int64_t> broadcast_dimensions) {
  auto error = [&](absl::string_view rule, absl::string_view what) {
    return RuleError(
        rule, absl::StrCat(what, ", got broadcast_dimensions {",
                           absl::StrJoin(broadcast_dimensions, ","), "} from ",
                           ShapeUtil::HumanString(small), " to ",
                           ShapeUtil::HumanString(large)));
  };
  // implicit_broadcast_c3: one broadcast dimension for each dimension of the
  // operand of lower rank; for scalars there are none
  if (static_cast<int64_t>(broadcast_dimensions.size()) != small.rank()) {
    return error("implicit_broadcast_c3",
                 broadcast_dimensions.empty()
                     ? "Shapes must be equal rank, or have broadcast dimensions"
                     : "operands of different ranks need one broadcast "
                       "dimension for each dimension of the smaller one");
  }
  Shape result = large;
  for (size_t i = 0; i < broadcast_dimensions.size(); ++i) {
    const int64_t d = broadcast_dimensions[i];
    // implicit_broadcast_c4: broadcast dimensions exist in the larger operand
    if (d < 0 || d >= large.rank()) {
      return error("implicit_broadcast_c4",
                   absl::StrCat("broadcast dimensions must be in [0,",
                                large.rank(), ")"));
    }
    // implicit_broadcast_c5: they are strictly increasing
    if (i > 0 && broadcast_dimensions[i - 1] >= d) {
      return error("implicit_broadcast_c5",
                   "broadcast dimensions must strictly increase");
    }
    // implicit_broadcast_c8: a size that is not known meets another such size
    // or 1; the words are those of XLA
    const int64_t from = small.dimensions(i);
    const int64_t to = large.dimensions(static_cast<int>(d));
    if (from != to && from != 1 && to != 1 && SizesFit(from, to)) {
      return RuleError(
          "implicit_broadcast_c8",
          absl::StrCat("Broadcast dimension ", i, " mismatch: ", from,
                       " != ", to, "; ", Both(small, large), "."));
    }
    result.set_dimensions(static_cast<int>(d), small.dimensions(i),
                          small.is_dynamic_dimension(i));
  }
  return result;
}

// Shapes of the same rank whose dimensions are equal, or 1 in one of them.
absl::StatusOr<Shape> BroadcastDegenerate(const Shape& a, const Shape& b) {
  Shape result = a;
  for (int i = 0; i < a.rank(); ++i) {
    const bool a_is_one = a.dimensions(i) == 1 && a.is_static_dimension(i);
    const bool b_is_one = b.dimensions(i) == 1 && b.is_static_dimension(i);
    if (a_is_one || b_is_one) {
      const Shape& other = a_is_one ? b : a;
      result.set_dimensions(i, other.dimensions(i),
                            other.is_dynamic_dimension(i));
      continue;
    }
    // implicit_broadcast_c7: dimensions that meet are equal, or one of them
    // is 1
    if (!MergeDimension(a, b, i, &result)) {
      return RuleError("implicit_broadcast_c7",
                       absl::StrCat("dimension ", i, " of ", Both(a, b),
                                    " must be equal or 1"));
    }
  }
  return result;
}

}  // namespace

absl::StatusOr<Shape> InferBroadcastedBinary(
    const Shape& lhs, const Shape& rhs,
    absl::Span<const int64_t> broadcast_dimensions) {
  // implicit_broadcast_c1: both operands are arrays
  if (!lhs.IsArray() || !rhs.IsArray()) {
    return RuleError("implicit_broadcast_c1",
                     absl::StrCat("takes two arrays, got ", Both(lhs, rhs)));
  }
  // implicit_broadcast_c2: the element types are the same, or both floats
  if (!ShapeUtil::SameElementTypeIgnoringFpPrecision(lhs, rhs)) {
    return RuleError(
        "implicit_broadcast_c2",
        absl::StrCat("takes elements of one type, got ", Both(lhs, rhs)));
  }
  Shape small = lhs, large = rhs;
  if (lhs.rank() > rhs.rank()) std::swap(small, large);
  if (lhs.rank() != rhs.rank()) {
    TF_ASSIGN_OR_RETURN(small,
                        BroadcastInDim(small, large, broadcast_dimensions));
  } else {
    // implicit_broadcast_c6: between equal ranks broadcast dimensions are
    // 0, 1, 2, ... or not given
    for (size_t i = 0; i < broadcast_dimensions.size(); ++i) {
      if (broadcast_dimensions[i] != static_cast<int64_t>(i) ||
          static_cast<int64_t>(broadcast_dimensions.size()) != lhs.rank()) {
        return RuleError(
            "implicit_broadcast_c6",
            absl::StrCat("between equal ranks the broadcast dimensions must "
                         "be all in order or none, got {",
                         absl::StrJoin(broadcast_dimensions, ","), "} for ",
                         Both(lhs, rhs)));
      }
    }
  }
  TF_ASSIGN_OR_RETURN(Shape result, BroadcastDegenerate(small, large));
  return ShapeWithElementType(result,
                              ShapeUtil::HigherPrecisionElementType(lhs, rhs));
}

}  // namespace xla
