// While loops whose state is a tuple, unpacked for the caller's functions.
#include "xla/hlo/builder/lib/loops.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"

namespace xla {
namespace {

std::vector<XlaOp> Elements(XlaOp tuple, int64_t count) {
  std::vector<XlaOp> elements;
  for (int64_t i = 0; i < count; ++i) {
    elements.push_back(GetTupleElement(tuple, i));
  }
  return elements;
}

}  // namespace

absl::StatusOr<std::vector<XlaOp>> WhileLoopHelper(
    const WhileLoopHelperConditionFunction& condition_function,
    const WhileLoopHelperBodyFunction& body_function,
    absl::Span<const XlaOp> initial_values, absl::string_view name,
    XlaBuilder* builder) {
  const int64_t count = initial_values.size();
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                      builder->GetOperandShapes(initial_values));
  const Shape state = ShapeUtil::MakeTupleShape(shapes);

  std::unique_ptr<XlaBuilder> condition_builder =
      builder->CreateSubBuilder(absl::StrCat(name, "_condition"));
  XlaOp state_in = Parameter(condition_builder.get(), 0, state, "parameter");
  TF_ASSIGN_OR_RETURN(XlaOp holds, condition_function(Elements(state_in, count),
                                                      condition_builder.get()));
  TF_ASSIGN_OR_RETURN(const XlaComputation condition,
                      condition_builder->Build(holds));

  std::unique_ptr<XlaBuilder> body_builder =
      builder->CreateSubBuilder(absl::StrCat(name, "_body"));
  state_in = Parameter(body_builder.get(), 0, state, "parameter");
  TF_ASSIGN_OR_RETURN(
      const std::vector<XlaOp> next,
      body_function(Elements(state_in, count), body_builder.get()));
  XlaOp state_out = Tuple(body_builder.get(), next);
  TF_ASSIGN_OR_RETURN(const XlaComputation body,
                      body_builder->Build(state_out));

  XlaOp result = While(condition, body, Tuple(builder, initial_values));
  TF_RETURN_IF_ERROR(builder->first_error());
  return Elements(result, count);
}

absl::StatusOr<std::vector<XlaOp>> ForEachIndex(
    int64_t num_iterations, PrimitiveType num_iterations_type,
    const ForEachIndexBodyFunction& body_function,
    absl::Span<const XlaOp> initial_values, absl::string_view name,
    XlaBuilder* builder) {
  auto more = [&](absl::Span<const XlaOp> values,
                  XlaBuilder* b) -> absl::StatusOr<XlaOp> {
    return Lt(values[0],
              ConstantR0WithType(b, num_iterations_type, num_iterations));
  };
  auto step = [&](absl::Span<const XlaOp> values,
                  XlaBuilder* b) -> absl::StatusOr<std::vector<XlaOp>> {
    TF_ASSIGN_OR_RETURN(std::vector<XlaOp> next,
                        body_function(values[0], values.subspan(1), b));
    next.insert(next.begin(),
                Add(values[0], ConstantR0WithType(b, num_iterations_type, 1)));
    return next;
  };
  std::vector<XlaOp> values = {
      ConstantR0WithType(builder, num_iterations_type, 0)};
  values.insert(values.end(), initial_values.begin(), initial_values.end());
  TF_ASSIGN_OR_RETURN(values,
                      WhileLoopHelper(more, step, values, name, builder));
  values.erase(values.begin());
  return values;
}

}  // namespace xla
