// The rule for custom_call: a call out of the program, unless the target has a
// meaning for the compiler itself (known_targets.h, named_ops.h, sharding).
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/stablehlo/to_hlo/conversion/attribute_text.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_annotations.h"
#include "xla/stablehlo/to_hlo/devices/sharding.h"
#include "xla/stablehlo/to_hlo/devices/shardy_round_trip.h"
#include "xla/stablehlo/to_hlo/known_targets.h"
#include "xla/stablehlo/to_hlo/named_ops.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

absl::StatusOr<CustomCallApiVersion> ApiVersion(
    const OpConversion& conversion) {
  const Attribute* version = conversion.Find("api_version");
  if (version == nullptr) return API_VERSION_ORIGINAL;
  CustomCallApiVersion parsed;
  if (version->kind == Kind::kInteger) {
    if (CustomCallApiVersion_IsValid(version->integer)) {
      return static_cast<CustomCallApiVersion>(version->integer);
    }
  } else if (CustomCallApiVersion_Parse(std::string(version->text), &parsed)) {
    return parsed;
  }
  return conversion.Error("attribute 'api_version' has no such value");
}

// Sets the layout of one operand or result: an index tensor, minor to major.
absl::Status SetLayout(const Attribute& list, size_t i, Shape& shape) {
  if (!shape.IsArray() || i >= list.elements.size()) return absl::OkStatus();
  const absl::StatusOr<std::vector<int64_t>> minor_to_major =
      IntegersOfAttribute(*list.elements[i]);
  if (!minor_to_major.ok()) {
    return absl::InvalidArgumentError("layouts must be lists of dimensions");
  }
  Layout layout = LayoutUtil::MakeLayout(*minor_to_major);
  if (shape.dimensions_size() == 0) return absl::OkStatus();
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutForShape(layout, shape));
  *shape.mutable_layout() = std::move(layout);
  return absl::OkStatus();
}

absl::Status SetOperandLayouts(const OpConversion& conversion,
                               CustomCallAttrs& attrs) {
  const Attribute* list = conversion.Find("operand_layouts");
  if (list == nullptr) return absl::OkStatus();
  if (list->elements.empty() && conversion.operand_count() > 0) {
    return absl::OkStatus();
  }
  attrs.operand_layout_constraints.emplace();
  for (int64_t i = 0; i < conversion.operand_count(); ++i) {
    Shape shape = conversion.operand(i)->shape();
    LayoutUtil::SetToDefaultLayout(&shape);
    TF_RETURN_IF_ERROR(SetLayout(*list, i, shape));
    attrs.operand_layout_constraints->push_back(std::move(shape));
  }
  return absl::OkStatus();
}

absl::Status SetResultLayouts(const OpConversion& conversion, Shape& results) {
  const Attribute* list = conversion.Find("result_layouts");
  if (list == nullptr) return absl::OkStatus();
  if (!results.IsTuple()) return SetLayout(*list, 0, results);
  for (int64_t i = 0; i < results.tuple_shapes_size(); ++i) {
    TF_RETURN_IF_ERROR(SetLayout(*list, i, *results.mutable_tuple_shapes(i)));
  }
  return absl::OkStatus();
}

absl::StatusOr<ShapeIndex> IndexField(const Attribute& alias,
                                      absl::string_view name) {
  const Attribute* field = alias.Field(name);
  if (field == nullptr) return ShapeIndex();
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> index,
                      IntegersOfAttribute(*field));
  return ShapeIndex(index.begin(), index.end());
}

absl::Status SetAliases(const OpConversion& conversion,
                        CustomCallAttrs& attrs) {
  const Attribute* list = conversion.Find("output_operand_aliases");
  if (list == nullptr) return absl::OkStatus();
  for (const Attribute* alias : list->elements) {
    const Attribute* operand = alias->Field("operand_index");
    if (operand == nullptr) {
      return conversion.Error("an output_operand_alias lacks operand_index");
    }
    OutputOperandAlias row;
    row.operand_number = operand->integer;
    TF_ASSIGN_OR_RETURN(row.output_index,
                        IndexField(*alias, "output_tuple_indices"));
    TF_ASSIGN_OR_RETURN(row.operand_index,
                        IndexField(*alias, "operand_tuple_indices"));
    attrs.output_to_operand_aliasing.push_back(std::move(row));
  }
  return absl::OkStatus();
}

std::string BackendConfig(const OpConversion& conversion) {
  for (absl::string_view name : {"backend_config", "mhlo.backend_config"}) {
    const Attribute* config = conversion.Find(name);
    if (config == nullptr) continue;
    if (config->kind == Kind::kDictionary) return AttributeText(*config);
    if (!config->text.empty()) return std::string(config->text);
  }
  return "";
}

// Returns the functions that the call names, as its computations.
absl::StatusOr<std::vector<HloComputation*>> CalledComputations(
    const OpConversion& conversion) {
  std::vector<HloComputation*> computations;
  const Attribute* called = conversion.Find("called_computations");
  if (called == nullptr) return computations;
  for (const Attribute* symbol : called->elements) {
    if (symbol->kind != Kind::kSymbol) {
      return conversion.Error("called_computations must name functions");
    }
    TF_ASSIGN_OR_RETURN(computations.emplace_back(),
                        conversion.module().FunctionAsComputation(
                            symbol->text, conversion.op()));
  }
  return computations;
}

// Returns the result shape. Sizes "?" of an identity's type are those of its
// operand.
absl::StatusOr<Shape> ResultsOf(const OpConversion& conversion,
                                const CustomCallAttrs& attrs) {
  if (KnownCallOf(attrs) == KnownCall::kIdentity &&
      conversion.operand_count() == 1 && conversion.result_count() == 1 &&
      !conversion.result_type().IsStatic()) {
    return conversion.operand(0)->shape();
  }
  return conversion.ResultsShape();
}

// Keeps how the dimensions of a divided call hang together.
absl::Status KeepShardingRule(const OpConversion& conversion,
                              HloInstruction& call) {
  const Attribute* rule = conversion.Find("sdy.sharding_rule");
  if (rule == nullptr || !conversion.module().is_partitioned()) {
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(std::string text, ShardingRuleText(*rule));
  FrontendAttributes attributes = call.frontend_attributes();
  (*attributes.mutable_map())["xla.sdy.sharding_rule"] = std::move(text);
  call.set_frontend_attributes(std::move(attributes));
  return absl::OkStatus();
}

absl::Status ConvertCallOut(const std::string& target,
                            OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const std::vector<HloComputation*> computations,
                      CalledComputations(conversion));
  CustomCallAttrs attrs;
  attrs.custom_call_target = target;
  TF_ASSIGN_OR_RETURN(attrs.custom_call_has_side_effect,
                      conversion.BoolOr("has_side_effect", false));
  TF_ASSIGN_OR_RETURN(attrs.api_version, ApiVersion(conversion));
  // JAX uses version 1 for typed calls too: its dictionary marks them.
  const Attribute* dictionary = conversion.Find("mhlo.backend_config");
  if (dictionary != nullptr && dictionary->kind == Kind::kDictionary) {
    attrs.api_version = API_VERSION_TYPED_FFI;
  }
  TF_RETURN_IF_ERROR(SetOperandLayouts(conversion, attrs));
  TF_RETURN_IF_ERROR(SetAliases(conversion, attrs));
  TF_ASSIGN_OR_RETURN(Shape shape, ResultsOf(conversion, attrs));
  TF_RETURN_IF_ERROR(SetResultLayouts(conversion, shape));
  HloInstruction* call =
      conversion.Add(HloOpcode::kCustomCall, std::move(shape),
                     conversion.operands(), std::move(attrs), computations);
  call->set_raw_backend_config_string(BackendConfig(conversion));
  conversion.SetResults(call);
  return KeepShardingRule(conversion, *call);
}

// Calls that become ops do not need attributes about how to call a target.
void ReadCallAttributes(const OpConversion& conversion) {
  for (absl::string_view name :
       {"api_version", "backend_config", "called_computations",
        "has_side_effect", "operand_layouts", "output_operand_aliases",
        "result_layouts", "error_message"}) {
    conversion.Find(name);
  }
}

absl::Status ConvertCustomCall(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const std::string target,
                      conversion.String("call_target_name"));
  if (const Rule* known = FindKnownTarget(target)) {
    ReadCallAttributes(conversion);
    return known->convert(conversion);
  }
  const bool is_partitioned = conversion.module().is_partitioned();
  if (is_partitioned && IsRoundTripTarget(target)) {
    ReadCallAttributes(conversion);
    return ConvertRoundTripTarget(target, conversion);
  }
  // Several partitions keep these for propagation and the partitioner.
  if (!is_partitioned && IsShardingTarget(target)) {
    ReadCallAttributes(conversion);
    return ConvertIdentity(conversion);
  }
  TF_ASSIGN_OR_RETURN(
      const bool named,
      ConvertNamedOp(target, conversion.Find("mhlo.attributes"), conversion));
  if (named) {
    ReadCallAttributes(conversion);
    return absl::OkStatus();
  }
  return ConvertCallOut(target, conversion);
}

constexpr Rule kCustomCallRules[] = {
    {"stablehlo.custom_call", ConvertCustomCall},
};

}  // namespace

absl::Span<const Rule> CustomCallRules() { return kCustomCallRules; }

}  // namespace xla::stablehlo
