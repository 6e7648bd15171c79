// The computations of scalars that arithmetic.h and comparators.h declare.
#include "xla/hlo/builder/lib/arithmetic.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using Comparator = XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>);

XlaOp ScalarParameter(XlaBuilder* b, int64_t number, PrimitiveType type,
                      absl::string_view name) {
  if (!primitive_util::IsArrayType(type)) return Zero(b, type);
  return Parameter(b, number, ShapeUtil::MakeShape(type, {}),
                   std::string(name));
}

XlaComputation TotalOrder(const std::string& name, Comparator comparator,
                          const std::vector<PrimitiveType>& operand_types,
                          XlaBuilder* builder) {
  std::vector<std::optional<Comparator>> comparators(operand_types.size());
  if (!comparators.empty()) comparators[0] = comparator;
  return CreateScalarComparisonComputation(name, operand_types, comparators,
                                           builder);
}

// (value, index, value, index) -> (value, index): the better, then the earlier.
XlaComputation BetterOfTwo(PrimitiveType value_type, PrimitiveType index_type,
                           bool is_min, XlaBuilder* builder) {
  std::unique_ptr<XlaBuilder> b =
      builder->CreateSubBuilder(is_min ? "arg_min" : "arg_max");
  XlaOp lhs = ScalarParameter(b.get(), 0, value_type, "lhs");
  XlaOp lhs_index = ScalarParameter(b.get(), 1, index_type, "lhs_index");
  XlaOp rhs = ScalarParameter(b.get(), 2, value_type, "rhs");
  XlaOp rhs_index = ScalarParameter(b.get(), 3, index_type, "rhs_index");
  XlaOp better = is_min ? Lt(lhs, rhs) : Gt(lhs, rhs);
  XlaOp equal = Eq(lhs, rhs);
  if (primitive_util::IsFloatingPointType(value_type)) {
    XlaOp lhs_nan = Ne(lhs, lhs);
    XlaOp rhs_nan = Ne(rhs, rhs);
    better = Or(better, And(lhs_nan, Not(rhs_nan)));
    equal = Or(equal, And(lhs_nan, rhs_nan));
  }
  XlaOp left = Or(better, And(equal, Le(lhs_index, rhs_index)));
  Tuple(b.get(), {Select(left, lhs, rhs), Select(left, lhs_index, rhs_index)});
  return b->BuildAndNoteError();
}

}  // namespace

XlaComputation CreateScalarComputation(const std::string& name,
                                       PrimitiveType type, XlaBuilder* builder,
                                       XlaOpGenerator generator) {
  std::unique_ptr<XlaBuilder> b = builder->CreateSubBuilder(name);
  XlaOp lhs = ScalarParameter(b.get(), 0, type, "lhs");
  XlaOp rhs = ScalarParameter(b.get(), 1, type, "rhs");
  generator(lhs, rhs);
  return b->BuildAndNoteError();
}

XlaComputation CreateScalarAddComputation(PrimitiveType type,
                                          XlaBuilder* builder) {
  return CreateScalarComputation(
      "add", type, builder, [](XlaOp lhs, XlaOp rhs) { return Add(lhs, rhs); });
}

XlaComputation CreateScalarMultiplyComputation(PrimitiveType type,
                                               XlaBuilder* builder) {
  return CreateScalarComputation(
      "mul", type, builder, [](XlaOp lhs, XlaOp rhs) { return Mul(lhs, rhs); });
}

XlaComputation CreateScalarGeComputation(PrimitiveType type,
                                         XlaBuilder* builder) {
  return CreateScalarComputation(
      "ge", type, builder, [](XlaOp lhs, XlaOp rhs) { return Ge(lhs, rhs); });
}

XlaComputation CreateScalarMaxComputation(PrimitiveType type,
                                          XlaBuilder* builder) {
  return CreateScalarComputation(
      "max", type, builder, [](XlaOp lhs, XlaOp rhs) { return Max(lhs, rhs); });
}

XlaComputation CreateScalarMinComputation(PrimitiveType type,
                                          XlaBuilder* builder) {
  return CreateScalarComputation(
      "min", type, builder, [](XlaOp lhs, XlaOp rhs) { return Min(lhs, rhs); });
}

XlaComputation CreateScalarAndComputation(PrimitiveType type,
                                          XlaBuilder* builder) {
  return CreateScalarComputation(
      "and", type, builder, [](XlaOp lhs, XlaOp rhs) { return And(lhs, rhs); });
}

XlaComputation CreateScalarOrComputation(PrimitiveType type,
                                         XlaBuilder* builder) {
  return CreateScalarComputation(
      "or", type, builder, [](XlaOp lhs, XlaOp rhs) { return Or(lhs, rhs); });
}

XlaComputation CreateScalarIdentityWithZeroComputation(PrimitiveType type,
                                                       XlaBuilder* builder) {
  return type == PRED ? CreateScalarOrComputation(type, builder)
                      : CreateScalarAddComputation(type, builder);
}

XlaOp Any(XlaOp predicates) {
  XlaBuilder* builder = predicates.builder();
  return ReduceAll(predicates, ConstantR0<bool>(builder, false),
                   CreateScalarOrComputation(PRED, builder));
}

XlaOp ArgMinMax(XlaOp input, PrimitiveType output_type, int axis, bool is_min) {
  XlaBuilder* builder = input.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(input));
    if (!shape.IsArray() || axis < 0 || axis >= shape.rank() ||
        !primitive_util::IsIntegralType(output_type)) {
      // arg_min_max_c1: the axis is one of an array, the result an integer.
      return RuleError(
          "arg_min_max_c1",
          absl::StrCat("needs an integer result type and an axis of the input;"
                       " got ",
                       PrimitiveType_Name(output_type), " and axis ", axis,
                       " of ", ShapeUtil::HumanString(shape)));
    }
    const PrimitiveType type = shape.element_type();
    XlaOp worst = is_min ? MaxValue(builder, type) : MinValue(builder, type);
    // Start with an index beyond all others, so that where all values are the
    // worst one, their index is taken.
    XlaOp beyond = MaxValue(builder, output_type);
    XlaOp index = constants_internal::IotaLike(input, output_type, axis);
    XlaOp both =
        Reduce(builder, {input, index}, {worst, beyond},
               BetterOfTwo(type, output_type, is_min, builder), {axis});
    return GetTupleElement(both, 1);
  });
}

XlaOp ArgMax(XlaOp input, PrimitiveType output_type, int axis) {
  return ArgMinMax(input, output_type, axis, /*is_min=*/false);
}

XlaOp ArgMin(XlaOp input, PrimitiveType output_type, int axis) {
  return ArgMinMax(input, output_type, axis, /*is_min=*/true);
}

XlaComputation CreateScalarLtComputation(
    const std::vector<PrimitiveType>& operand_types, XlaBuilder* builder) {
  return TotalOrder("compare-less-than", LtTotalOrder, operand_types, builder);
}

XlaComputation CreateScalarGtComputation(
    const std::vector<PrimitiveType>& operand_types, XlaBuilder* builder) {
  return TotalOrder("compare-greater-than", GtTotalOrder, operand_types,
                    builder);
}

XlaComputation CreateScalarComparisonComputation(
    const std::string& name, const std::vector<PrimitiveType>& operand_types,
    const std::vector<std::optional<Comparator>>& comparators,
    XlaBuilder* builder) {
  std::unique_ptr<XlaBuilder> b = builder->CreateSubBuilder(name);
  XlaOp result;
  XlaOp all_equal;  // the operands compared before the last one
  XlaOp last_lhs, last_rhs;
  for (size_t i = 0; i < operand_types.size(); ++i) {
    XlaOp lhs = ScalarParameter(b.get(), 2 * i, operand_types[i],
                                absl::StrCat("p.", i, ".lhs"));
    XlaOp rhs = ScalarParameter(b.get(), 2 * i + 1, operand_types[i],
                                absl::StrCat("p.", i, ".rhs"));
    if (i >= comparators.size() || !comparators[i].has_value()) continue;
    XlaOp before = (*comparators[i])(lhs, rhs, {});
    if (result.IsUninitialized()) {
      result = before;
    } else {
      const XlaOp equal = EqTotalOrder(last_lhs, last_rhs);
      all_equal = all_equal.IsUninitialized() ? equal : And(all_equal, equal);
      result = Select(all_equal, before, result);
    }
    last_lhs = lhs;
    last_rhs = rhs;
  }
  if (result.IsUninitialized() || comparators.size() != operand_types.size()) {
    // comparator_c1: an entry for each operand, at least one with a comparator.
    builder->ReportError(RuleError(
        "comparator_c1",
        absl::StrCat(comparators.size(), " entries for ", operand_types.size(),
                     " operands, of which one must have a comparator")));
    return XlaComputation();
  }
  absl::StatusOr<XlaComputation> built = b->Build(result);
  if (built.ok()) return *std::move(built);
  builder->ReportError(built.status());
  return XlaComputation();
}

}  // namespace xla
