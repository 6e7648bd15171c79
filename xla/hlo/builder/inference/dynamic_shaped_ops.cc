// Wraps the branches of a conditional so that their results are padded to the
// bounds and carry their sizes.
#include "xla/hlo/builder/inference/dynamic_shaped_ops.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Widens the dimensions of `bounds` to those of `shape`; those that differ
// become dynamic.
absl::Status WidenTo(const Shape& shape, Shape* bounds) {
  const auto differ = [&] {
    // dynamic_conditional_c1: results differ in nothing but sizes.
    return RuleError(
        "dynamic_conditional_c1",
        absl::StrCat("branches return ", ShapeUtil::HumanString(shape), " and ",
                     ShapeUtil::HumanString(*bounds)));
  };
  if (shape.IsTuple() && bounds->IsTuple() &&
      shape.tuple_shapes_size() == bounds->tuple_shapes_size()) {
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      TF_RETURN_IF_ERROR(
          WidenTo(shape.tuple_shapes(i), bounds->mutable_tuple_shapes(i)));
    }
    return absl::OkStatus();
  }
  if (!shape.IsArray() || !bounds->IsArray()) {
    return ShapeUtil::Compatible(shape, *bounds) ? absl::OkStatus() : differ();
  }
  if (shape.element_type() != bounds->element_type() ||
      shape.rank() != bounds->rank()) {
    return differ();
  }
  for (int d = 0; d < shape.rank(); ++d) {
    const int64_t size = shape.dimensions(d);
    const bool dynamic = size != bounds->dimensions(d) ||
                         shape.is_dynamic_dimension(d) ||
                         bounds->is_dynamic_dimension(d);
    bounds->set_dimensions(d, std::max(size, bounds->dimensions(d)), dynamic);
  }
  return absl::OkStatus();
}

// Returns `value`, of shape `shape`, in shape `bounds`.
XlaOp Widen(XlaOp value, const Shape& shape, const Shape& bounds) {
  XlaBuilder* builder = value.builder();
  if (shape.IsTuple()) {
    std::vector<XlaOp> elements;
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      elements.push_back(Widen(GetTupleElement(value, i), shape.tuple_shapes(i),
                               bounds.tuple_shapes(i)));
    }
    return Tuple(builder, elements);
  }
  if (!shape.IsArray()) return value;
  for (int d = 0; d < shape.rank(); ++d) {
    if (!bounds.is_dynamic_dimension(d)) continue;
    XlaOp size = GetDimensionSize(value, d);
    const int64_t missing = bounds.dimensions(d) - shape.dimensions(d);
    if (missing > 0) {
      value =
          PadInDim(value, Zero(builder, shape.element_type()), d, 0, missing);
    }
    value = SetDimensionSize(value, size, d);
  }
  return value;
}

// Returns the branch with results of shape `bounds`.
absl::StatusOr<XlaComputation> WidenBranch(XlaBuilder* builder, XlaOp operand,
                                           const XlaComputation& branch,
                                           const Shape& result,
                                           const Shape& bounds) {
  TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(operand));
  std::unique_ptr<XlaBuilder> inner = builder->CreateSubBuilder("widened");
  XlaOp parameter = Parameter(inner.get(), 0, shape, "operand");
  Widen(Call(inner.get(), branch, {parameter}), result, bounds);
  return inner->Build();
}

}  // namespace

XlaOp DynamicConditional(
    XlaBuilder* builder, XlaOp branch_index,
    absl::Span<const XlaComputation* const> branch_computations,
    absl::Span<const XlaOp> branch_operands) {
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    // dynamic_conditional_c2: there is a branch, and an operand for each.
    if (branch_computations.empty() ||
        branch_computations.size() != branch_operands.size()) {
      return RuleError(
          "dynamic_conditional_c2",
          absl::StrCat(branch_computations.size(), " branches and ",
                       branch_operands.size(), " operands"));
    }
    std::vector<Shape> results;
    Shape bounds;
    bool same = true;
    for (const XlaComputation* branch : branch_computations) {
      TF_ASSIGN_OR_RETURN(const ProgramShape program,
                          branch->GetProgramShape());
      results.push_back(program.result());
      if (results.size() == 1) bounds = program.result();
      TF_RETURN_IF_ERROR(WidenTo(program.result(), &bounds));
      same = same && ShapeUtil::Compatible(program.result(), results[0]);
    }
    if (same) {
      return Conditional(branch_index, branch_computations, branch_operands);
    }
    std::vector<XlaComputation> widened;
    for (size_t i = 0; i < results.size(); ++i) {
      TF_ASSIGN_OR_RETURN(
          widened.emplace_back(),
          WidenBranch(builder, branch_operands[i], *branch_computations[i],
                      results[i], bounds));
    }
    std::vector<const XlaComputation*> pointers;
    for (const XlaComputation& branch : widened) pointers.push_back(&branch);
    return Conditional(branch_index, pointers, branch_operands);
  });
}

XlaOp DynamicConditional(XlaBuilder* builder, XlaOp predicate,
                         XlaOp true_operand,
                         const XlaComputation& true_computation,
                         XlaOp false_operand,
                         const XlaComputation& false_computation) {
  // Branch 0 of a pred[] is the one for true.
  return DynamicConditional(builder, predicate,
                            {&true_computation, &false_computation},
                            {true_operand, false_operand});
}

absl::StatusOr<XlaOp> SetDimensionSizeWithRebound(
    ValueInference* value_inference, XlaOp operand, XlaOp dimension_size,
    int64_t dimension) {
  XlaBuilder* builder = value_inference->builder();
  TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(operand));
  TF_ASSIGN_OR_RETURN(const Shape size, builder->GetShape(dimension_size));
  // rebound_c1: the dimension is one of the operand's.
  if (!shape.IsArray() || dimension < 0 || dimension >= shape.rank()) {
    return RuleError("rebound_c1",
                     absl::StrCat("no dimension ", dimension, " in ",
                                  ShapeUtil::HumanString(shape)));
  }
  // rebound_c2: a size is an s32[].
  if (!ShapeUtil::IsScalarWithElementType(size, S32)) {
    return RuleError("rebound_c2", absl::StrCat("a size must be s32[], not ",
                                                ShapeUtil::HumanString(size)));
  }
  TF_ASSIGN_OR_RETURN(
      const OptionalLiteral bound,
      value_inference->AnalyzeConstant(dimension_size, kUpperBound));
  TF_ASSIGN_OR_RETURN(const Literal is_dynamic,
                      value_inference->AnalyzeIsDynamic(dimension_size));
  if (const auto most = bound.Get<int32_t>({})) {
    const int64_t limit = std::max(*most, 0);
    if (limit < shape.dimensions(dimension)) {
      operand = SliceInDim(operand, 0, limit, 1, dimension);
    }
  }
  if (is_dynamic.Get<bool>({})) {
    operand = SetDimensionSize(operand, dimension_size, dimension);
  }
  TF_RETURN_IF_ERROR(builder->GetCurrentStatus());
  return operand;
}

absl::StatusOr<XlaOp> SetAllDimensionSizes(ValueInference* value_inference,
                                           XlaOp operand, XlaOp size_vector) {
  XlaBuilder* builder = value_inference->builder();
  TF_RETURN_IF_ERROR(builder->GetCurrentStatus());
  TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(operand));
  TF_ASSIGN_OR_RETURN(const Shape sizes, builder->GetShape(size_vector));
  // rebound_c3: there is a size for each dimension.
  if (!shape.IsArray() || !sizes.IsInteger() || sizes.rank() != 1 ||
      sizes.dimensions(0) != shape.rank()) {
    return RuleError("rebound_c3",
                     absl::StrCat("no integer for each dimension of ",
                                  ShapeUtil::HumanString(shape), " in ",
                                  ShapeUtil::HumanString(sizes)));
  }
  for (int64_t d = 0; d < shape.rank(); ++d) {
    XlaOp size = ConvertElementType(
        Reshape(Slice(size_vector, {d}, {d + 1}, {1}), {}), S32);
    TF_ASSIGN_OR_RETURN(const Literal is_dynamic,
                        value_inference->AnalyzeIsDynamic(size));
    if (is_dynamic.Get<bool>({})) operand = SetDimensionSize(operand, size, d);
  }
  TF_RETURN_IF_ERROR(builder->GetCurrentStatus());
  return operand;
}

}  // namespace xla
