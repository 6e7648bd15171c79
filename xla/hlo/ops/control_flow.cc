// Shape rules of calls, loops, branches, asynchronous calls, custom calls and
// the ops that only order others.
#include "xla/hlo/ops/control_flow.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

// Checks that the arguments fit the parameters of a called computation;
// otherwise returns an error of `rule`.
absl::Status CheckArguments(absl::string_view rule,
                            absl::Span<const Shape* const> arguments,
                            const ProgramShape& computation) {
  if (computation.parameters_size() != static_cast<int>(arguments.size())) {
    return RuleError(rule, absl::StrCat("the computation has ",
                                        computation.parameters_size(),
                                        " parameters, but there are ",
                                        arguments.size(), " arguments"));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!ShapeUtil::Compatible(*arguments[i], computation.parameters(i))) {
      return RuleError(
          rule, absl::StrCat("argument ", i, " has shape ", Text(*arguments[i]),
                             ", but the parameter has ",
                             Text(computation.parameters(i))));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOneParameter(absl::string_view rule, absl::string_view which,
                               const ProgramShape& computation,
                               const Shape& argument) {
  if (computation.parameters_size() == 1 &&
      ShapeUtil::Compatible(computation.parameters(0), argument)) {
    return absl::OkStatus();
  }
  return RuleError(
      rule,
      absl::StrCat("the ", which, " must have one parameter of ", "shape ",
                   Text(argument), ", got ", computation.ToString()));
}

// Marks the dimensions of `to` that are dynamic in `from`, and those that have
// no bound there; compatible shapes.
void MergeDynamicDimensions(const Shape& from, Shape* to) {
  ShapeUtil::ForEachMutableSubshape(
      to, [&](Shape* subshape, const ShapeIndex& index) {
        if (!subshape->IsArray()) return;
        const Shape& other = ShapeUtil::GetSubshape(from, index);
        for (int d = 0; d < other.dimensions_size(); ++d) {
          if (other.is_unbounded_dynamic_dimension(d)) {
            subshape->set_unbounded_dynamic_dimension(d);
          } else if (other.is_dynamic_dimension(d)) {
            subshape->set_dynamic_dimension(d, true);
          }
        }
      });
}

absl::Status CheckAliasing(absl::string_view op,
                           const std::vector<OutputOperandAlias>& aliases,
                           const InferArgs& args, const Shape& output) {
  for (const OutputOperandAlias& alias : aliases) {
    // output_operand_aliasing_c1: the operand exists.
    if (alias.operand_number < 0 ||
        alias.operand_number >= static_cast<int64_t>(args.operands.size())) {
      return RuleError(
          "output_operand_aliasing_c1",
          absl::StrCat(op, " has no operand ", alias.operand_number));
    }
    const Shape& operand = args.operand(alias.operand_number);
    // output_operand_aliasing_c2: the operand index is one of the operand.
    if (!ShapeUtil::IndexIsValid(operand, alias.operand_index)) {
      return RuleError("output_operand_aliasing_c2",
                       absl::StrCat("operand ", alias.operand_number, " of ",
                                    op, ", ", Text(operand), ", has no index ",
                                    alias.operand_index.ToString()));
    }
    // output_operand_aliasing_c3: the output index is one of the result.
    if (!ShapeUtil::IndexIsValid(output, alias.output_index)) {
      return RuleError(
          "output_operand_aliasing_c3",
          absl::StrCat("the result of ", op, ", ", Text(output),
                       ", has no index ", alias.output_index.ToString()));
    }
    const Shape& from = ShapeUtil::GetSubshape(operand, alias.operand_index);
    const Shape& to = ShapeUtil::GetSubshape(output, alias.output_index);
    // output_operand_aliasing_c4: both parts have the same shape.
    if (!ShapeUtil::Compatible(from, to)) {
      return RuleError(
          "output_operand_aliasing_c4",
          absl::StrCat("output ", Text(to), " of ", op,
                       " cannot share the buffer of operand ", Text(from)));
    }
  }
  return absl::OkStatus();
}

// The operand is ((...), R, ...), as async-start makes it.
absl::Status CheckAsyncOperand(absl::string_view rule, const Shape& operand) {
  if (operand.IsTuple() && operand.tuple_shapes_size() >= 2 &&
      operand.tuple_shapes(0).IsTuple()) {
    return absl::OkStatus();
  }
  return RuleError(rule, absl::StrCat("the operand must be a tuple (arguments, "
                                      "result, contexts...), got ",
                                      Text(operand)));
}

}  // namespace

absl::StatusOr<Shape> InferCall(const InferArgs& args) {
  // call_c1: the operands fit the parameters of the computation.
  TF_RETURN_IF_ERROR(
      CheckArguments("call_c1", args.operands, args.computation(0)));
  return args.computation(0).result();
}

absl::StatusOr<Shape> InferWhile(const InferArgs& args) {
  const Shape& init = args.operand(0);
  const ProgramShape& condition = args.computation(0);
  const ProgramShape& body = args.computation(1);
  // while_c1: condition and body take one value like the initial one.
  TF_RETURN_IF_ERROR(
      CheckOneParameter("while_c1", "condition", condition, init));
  TF_RETURN_IF_ERROR(CheckOneParameter("while_c1", "body", body, init));
  // while_c2: the condition gives pred[].
  if (!ShapeUtil::IsScalarWithElementType(condition.result(), PRED)) {
    return RuleError("while_c2",
                     absl::StrCat("the condition must give pred[], got ",
                                  Text(condition.result())));
  }
  // while_c3: the body gives a value like the initial one.
  if (!ShapeUtil::Compatible(body.result(), init)) {
    return RuleError("while_c3",
                     absl::StrCat("the body gives ", Text(body.result()),
                                  ", but the initial value has ", Text(init)));
  }
  return init;
}

absl::Status CheckBranchIndex(const Shape& index) {
  // conditional_c1: the branch index is pred[] or s32[].
  if (ShapeUtil::IsScalarWithElementType(index, PRED) ||
      ShapeUtil::IsScalarWithElementType(index, S32)) {
    return absl::OkStatus();
  }
  return RuleError(
      "conditional_c1",
      absl::StrCat("the branch index must be pred[] or s32[], got ",
                   Text(index)));
}

absl::StatusOr<Shape> InferConditional(const InferArgs& args) {
  const Shape& index = args.operand(0);
  const size_t branches = args.computations.size();
  TF_RETURN_IF_ERROR(CheckBranchIndex(index));
  // conditional_c2: there is a branch; with pred[], there are two.
  if (branches == 0 || (index.element_type() == PRED && branches != 2)) {
    return RuleError("conditional_c2",
                     absl::StrCat("with a branch index ", Text(index), ", ",
                                  branches, " branches are not possible"));
  }
  // conditional_c3: each branch has its operand.
  if (args.operands.size() != branches + 1) {
    return RuleError(
        "conditional_c3",
        absl::StrCat("there are ", branches, " branches, but ",
                     args.operands.size() - 1, " branch operands"));
  }
  Shape result = args.computation(0).result();
  for (size_t i = 0; i < branches; ++i) {
    // conditional_c4: each branch takes one value like its operand.
    TF_RETURN_IF_ERROR(
        CheckOneParameter("conditional_c4", absl::StrCat("branch ", i),
                          args.computation(i), args.operand(i + 1)));
    // conditional_c5: all branches give the same shape.
    if (!ShapeUtil::Compatible(args.computation(i).result(), result)) {
      return RuleError(
          "conditional_c5",
          absl::StrCat("branch 0 gives ", Text(result), ", but branch ", i,
                       " gives ", Text(args.computation(i).result())));
    }
    MergeDynamicDimensions(args.computation(i).result(), &result);
  }
  return result;
}

absl::StatusOr<Shape> InferFusion(const InferArgs& args,
                                  const FusionAttrs& attrs) {
  // fusion_c1: the operands fit the parameters of the computation.
  TF_RETURN_IF_ERROR(
      CheckArguments("fusion_c1", args.operands, args.computation(0)));
  const Shape& result = args.computation(0).result();
  TF_RETURN_IF_ERROR(
      CheckAliasing("fusion", attrs.output_to_operand_aliasing, args, result));
  return result;
}

absl::StatusOr<Shape> InferOptimizationBarrier(const InferArgs& args) {
  return args.operand(0);
}

absl::StatusOr<Shape> InferAsyncStart(const InferArgs& args,
                                      const AsyncStartAttrs& attrs) {
  const Shape& declared = *args.declared;
  const ProgramShape& computation = args.computation(0);
  // async_start_c1: the operands fit the parameters of the computation.
  TF_RETURN_IF_ERROR(
      CheckArguments("async_start_c1", args.operands, computation));
  // async_start_c2: the result is a tuple ((arguments...), result, ...).
  if (!declared.IsTuple() || declared.tuple_shapes_size() < 2) {
    return RuleError("async_start_c2",
                     absl::StrCat("the result must be a tuple of at least two, "
                                  "got ",
                                  Text(declared)));
  }
  // async_start_c3: its first two parts are as the computation's signature.
  if (!ShapeUtil::Compatible(
          declared.tuple_shapes(0),
          ShapeUtil::MakeTupleShapeWithPtrs(args.operands)) ||
      !ShapeUtil::Compatible(declared.tuple_shapes(1), computation.result())) {
    return RuleError(
        "async_start_c3",
        absl::StrCat("the result ", Text(declared),
                     " does not fit the computation ", computation.ToString()));
  }
  TF_RETURN_IF_ERROR(CheckAliasing(
      "async-start", attrs.output_to_operand_aliasing, args, declared));
  return declared;
}

absl::StatusOr<Shape> InferAsyncUpdate(const InferArgs& args,
                                       const AsyncAttrs& attrs) {
  // async_update_c1: the operand is that of an async-start.
  TF_RETURN_IF_ERROR(CheckAsyncOperand("async_update_c1", args.operand(0)));
  return args.operand(0);
}

absl::StatusOr<Shape> InferAsyncDone(const InferArgs& args,
                                     const AsyncAttrs& attrs) {
  // async_done_c1: the operand is that of an async-start.
  TF_RETURN_IF_ERROR(CheckAsyncOperand("async_done_c1", args.operand(0)));
  return args.operand(0).tuple_shapes(1);
}

absl::Status CheckOperandLayouts(absl::Span<const Shape* const> operands,
                                 const std::vector<Shape>& wanted) {
  // custom_call_c1: operand_layout_constraints has one shape for each operand.
  if (wanted.size() != operands.size()) {
    return RuleError(
        "custom_call_c1",
        absl::StrCat("there are ", operands.size(), " operands, but ",
                     wanted.size(), " operand layout constraints"));
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    // custom_call_c2: each constraint is the operand's shape with a layout.
    if (!ShapeUtil::Compatible(wanted[i], *operands[i]) ||
        !LayoutUtil::HasLayout(wanted[i])) {
      return RuleError(
          "custom_call_c2",
          absl::StrCat("operand ", i, " is ", Text(*operands[i]),
                       ", but its layout constraint is ",
                       ShapeUtil::HumanStringWithLayout(wanted[i])));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Shape> InferCustomCall(const InferArgs& args,
                                      const CustomCallAttrs& attrs) {
  if (attrs.operand_layout_constraints.has_value()) {
    TF_RETURN_IF_ERROR(
        CheckOperandLayouts(args.operands, *attrs.operand_layout_constraints));
  }
  // custom_call_c3: group counts are positive.
  if (attrs.feature_group_count < 1 || attrs.batch_group_count < 1) {
    return RuleError("custom_call_c3",
                     absl::StrCat("group counts must be positive, got ",
                                  attrs.feature_group_count, " and ",
                                  attrs.batch_group_count));
  }
  TF_RETURN_IF_ERROR(CheckAliasing(
      "custom-call", attrs.output_to_operand_aliasing, args, *args.declared));
  return *args.declared;
}

absl::StatusOr<Shape> InferDomain(const InferArgs& args,
                                  const DomainAttrs& attrs) {
  return args.operand(0);
}

absl::StatusOr<Shape> InferAfterAll(const InferArgs& args) {
  return ShapeUtil::MakeTokenShape();
}

absl::StatusOr<Shape> InferAddDependency(const InferArgs& args) {
  // add_dependency_c1: the second operand is a token.
  if (!args.operand(1).IsToken()) {
    return RuleError(
        "add_dependency_c1",
        absl::StrCat("operand 1 must be a token, got ", Text(args.operand(1))));
  }
  return args.operand(0);
}

}  // namespace xla
