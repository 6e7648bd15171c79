// Custom calls, all added by one function.
#include "xla/hlo/builder/ops/custom_call.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// The fields that a form of custom call adds to the plain one.
struct Extras {
  absl::Span<const CalledComputation> computations = {};
  std::optional<absl::Span<const Shape>> operand_layouts;
};

// `attrs` has the fields of all forms except the aliases and the literal.
absl::StatusOr<XlaOp> AddCustomCall(
    XlaBuilder& b, CustomCallAttrs attrs, absl::Span<const XlaOp> operands,
    const Shape& shape, const std::string& opaque, OutputOperandAliases aliases,
    const Literal* literal, const Extras& extras) {
  if (extras.operand_layouts.has_value()) {
    const absl::Span<const Shape> layouts = *extras.operand_layouts;
    bool complete =
        LayoutUtil::HasLayout(shape) && layouts.size() == operands.size();
    for (const Shape& layout : layouts) {
      complete &= LayoutUtil::HasLayout(layout);
    }
    // custom_call_layout_c1: with layouts, each operand and the result has one.
    if (!complete) {
      return RuleError(
          "custom_call_layout_c1",
          absl::StrCat(attrs.custom_call_target, " with ", operands.size(),
                       " operands needs a layout for each, and "
                       "for the result, got ",
                       layouts.size(), " and ",
                       ShapeUtil::HumanStringWithLayout(shape)));
    }
    attrs.operand_layout_constraints.emplace(layouts.begin(), layouts.end());
  }
  for (const auto& [output, operand] : aliases) {
    attrs.output_to_operand_aliasing.push_back(
        {output, operand.first, operand.second});
  }
  if (literal != nullptr) attrs.literal = literal->Clone();
  TF_ASSIGN_OR_RETURN(
      XlaOp call, b.AddOp(HloOpcode::kCustomCall, operands, std::move(attrs),
                          extras.computations, &shape));
  if (!opaque.empty()) {
    TF_ASSIGN_OR_RETURN(HloInstruction * instruction, b.LookUp(call));
    instruction->set_raw_backend_config_string(opaque);
  }
  return call;
}

CustomCallAttrs CommonAttrs(const std::string& target, bool has_side_effect,
                            CustomCallSchedule schedule,
                            CustomCallApiVersion api_version) {
  CustomCallAttrs attrs;
  attrs.custom_call_target = target;
  attrs.custom_call_has_side_effect = has_side_effect;
  attrs.schedule = schedule;
  attrs.api_version = api_version;
  return attrs;
}

}  // namespace

XlaOp CustomCall(XlaBuilder* builder, const std::string& call_target_name,
                 absl::Span<const XlaOp> operands, const Shape& shape,
                 const std::string& opaque, bool has_side_effect,
                 OutputOperandAliases output_operand_aliasing,
                 const Literal* literal, CustomCallSchedule schedule,
                 CustomCallApiVersion api_version) {
  return builder_internal::Emit(builder, [&](XlaBuilder& b) {
    return AddCustomCall(
        b,
        CommonAttrs(call_target_name, has_side_effect, schedule, api_version),
        operands, shape, opaque, output_operand_aliasing, literal, {});
  });
}

XlaOp CustomCallWithComputation(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const CalledComputation& computation,
    const Shape& shape, const std::string& opaque, bool has_side_effect,
    OutputOperandAliases output_operand_aliasing, const Literal* literal,
    CustomCallSchedule schedule, CustomCallApiVersion api_version) {
  return builder_internal::Emit(builder, [&](XlaBuilder& b) {
    return AddCustomCall(
        b,
        CommonAttrs(call_target_name, has_side_effect, schedule, api_version),
        operands, shape, opaque, output_operand_aliasing, literal,
        {{&computation, 1}, std::nullopt});
  });
}

XlaOp CustomCallWithLayout(XlaBuilder* builder,
                           const std::string& call_target_name,
                           absl::Span<const XlaOp> operands,
                           const Shape& shape_with_layout,
                           absl::Span<const Shape> operand_shapes_with_layout,
                           const std::string& opaque, bool has_side_effect,
                           OutputOperandAliases output_operand_aliasing,
                           const Literal* literal, CustomCallSchedule schedule,
                           CustomCallApiVersion api_version) {
  return builder_internal::Emit(builder, [&](XlaBuilder& b) {
    return AddCustomCall(
        b,
        CommonAttrs(call_target_name, has_side_effect, schedule, api_version),
        operands, shape_with_layout, opaque, output_operand_aliasing, literal,
        {{}, operand_shapes_with_layout});
  });
}

XlaOp CustomCallWithComputationAndLayouts(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const CalledComputation& computation,
    const Shape& shape, absl::Span<const Shape> operand_shapes_with_layout,
    const std::string& opaque, bool has_side_effect,
    OutputOperandAliases output_operand_aliasing, const Literal* literal,
    CustomCallSchedule schedule, CustomCallApiVersion api_version) {
  return builder_internal::Emit(builder, [&](XlaBuilder& b) {
    return AddCustomCall(
        b,
        CommonAttrs(call_target_name, has_side_effect, schedule, api_version),
        operands, shape, opaque, output_operand_aliasing, literal,
        {{&computation, 1}, operand_shapes_with_layout});
  });
}

XlaOp CustomCallWithConvDnums(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const Shape& shape,
    absl::Span<const Shape> operand_shapes_with_layout,
    const std::string& opaque, bool has_side_effect,
    OutputOperandAliases output_operand_aliasing, const Literal* literal,
    Window window, ConvolutionDimensionNumbers dnums,
    CustomCallSchedule schedule, CustomCallApiVersion api_version) {
  return builder_internal::Emit(builder, [&](XlaBuilder& b) {
    CustomCallAttrs attrs =
        CommonAttrs(call_target_name, has_side_effect, schedule, api_version);
    attrs.window = window;
    attrs.dim_labels = dnums;
    Extras extras;
    if (!operand_shapes_with_layout.empty()) {
      extras.operand_layouts = operand_shapes_with_layout;
    }
    return AddCustomCall(b, std::move(attrs), operands, shape, opaque,
                         output_operand_aliasing, literal, extras);
  });
}

}  // namespace xla
