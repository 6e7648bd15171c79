// Prints loops, branches, calls and barriers.
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

std::string LayoutTensor(const Shape& shape) {
  if (!shape.IsArray()) return "dense<> : tensor<0xindex>";
  const Layout layout =
      shape.has_layout()
          ? shape.layout()
          : LayoutUtil::MakeDescendingLayout(shape.dimensions_size());
  const std::vector<int64_t> order(layout.minor_to_major().begin(),
                                   layout.minor_to_major().end());
  return absl::StrCat("dense<", order.empty() ? "" : ListText(order),
                      "> : tensor<", order.size(), "xindex>");
}

template <typename Shapes>
std::string LayoutsText(absl::string_view name, const Shapes& shapes) {
  return absl::StrCat(name, " = [",
                      absl::StrJoin(shapes, ", ",
                                    [](std::string* out, const Shape& shape) {
                                      absl::StrAppend(out, LayoutTensor(shape));
                                    }),
                      "]");
}

std::string AliasesText(absl::Span<const OutputOperandAlias> aliases) {
  const auto append = [](std::string* out, const OutputOperandAlias& alias) {
    const std::vector<int64_t> output(alias.output_index.begin(),
                                      alias.output_index.end());
    const std::vector<int64_t> operand(alias.operand_index.begin(),
                                       alias.operand_index.end());
    absl::StrAppend(
        out, "#stablehlo.output_operand_alias<output_tuple_indices = ",
        ListText(output), ", operand_index = ", alias.operand_number,
        ", operand_tuple_indices = ", ListText(operand), ">");
  };
  return absl::StrCat("output_operand_aliases = [",
                      absl::StrJoin(aliases, ", ", append), "]");
}

// Returns whether the call has attributes of targets that convolve.
bool Convolves(const CustomCallAttrs& attrs) {
  return attrs.window.dimensions_size() > 0 ||
         attrs.dim_labels.ByteSizeLong() > 0 ||
         attrs.feature_group_count != 1 || attrs.batch_group_count != 1 ||
         attrs.padding_type != PADDING_INVALID ||
         attrs.precision_config.ByteSizeLong() > 0;
}

// Returns what a frontend attribute says about a composite.
std::string Detail(const HloInstruction& hlo, absl::string_view name,
                   absl::string_view missing) {
  const auto& map = hlo.frontend_attributes().map();
  const auto it = map.find(std::string(name));
  return it == map.end() || it->second.empty() ? std::string(missing)
                                               : it->second;
}

}  // namespace

absl::Status ModulePrinter::PrintWhile(const HloInstruction& hlo,
                                       Frame& frame) {
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.while"));
  op.regions = {{hlo.while_condition()}, {hlo.while_body()}};
  return Finish(hlo, frame, op);
}

// Branches have no arguments and use the values around them.
absl::Status ModulePrinter::PrintConditional(const HloInstruction& hlo,
                                             Frame& frame) {
  const bool two_way = hlo.operand(0)->shape().element_type() == PRED;
  TF_ASSIGN_OR_RETURN(
      OpText op,
      Start(hlo, frame, two_way ? "stablehlo.if" : "stablehlo.case"));
  op.operands.resize(1);
  op.operand_types.resize(1);
  for (size_t i = 0; i < hlo.called_computations().size(); ++i) {
    RegionText region = {hlo.branch_computation(i)};
    region.has_arguments = false;
    TF_ASSIGN_OR_RETURN(region.captured.emplace_back(),
                        NamesOf(*hlo.operand(i + 1), frame));
    op.regions.push_back(std::move(region));
  }
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintCall(const HloInstruction& hlo, Frame& frame) {
  const std::string function = SymbolText(FunctionName(hlo.to_apply()));
  const std::string name = Detail(hlo, "composite.name", "");
  if (!hlo.is_composite() || name.empty()) {
    TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "func.call"));
    op.attributes.push_back(absl::StrCat("callee = ", function));
    return Finish(hlo, frame, op);
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.composite"));
  int32_t version = 0;
  (void)absl::SimpleAtoi(Detail(hlo, "composite.version", "0"), &version);
  op.attributes.push_back(absl::StrCat("name = ", QuotedText(name)));
  op.attributes.push_back(absl::StrCat("decomposition = ", function));
  op.attributes.push_back(absl::StrCat(
      "composite_attributes = ", Detail(hlo, "composite.attributes", "{}")));
  op.attributes.push_back(absl::StrCat("version = ", version, " : i32"));
  return Finish(hlo, frame, op);
}

// Prints the called computation in place of the call.
absl::Status ModulePrinter::PrintInlined(const HloInstruction& hlo,
                                         Frame& frame) {
  std::vector<Names> parameters;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(parameters.emplace_back(), NamesOf(*operand, frame));
  }
  TF_ASSIGN_OR_RETURN(
      frame.names[&hlo],
      PrintComputation(*hlo.called_computations()[0], std::move(parameters)));
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintCustomCall(const HloInstruction& hlo,
                                            Frame& frame) {
  const auto& attrs = hlo.attrs<CustomCallAttrs>();
  if (Convolves(attrs)) {
    return Unsupported(hlo,
                       "StableHLO has no place for its window, padding "
                       "type and dimension labels");
  }
  if (attrs.literal.value != nullptr || attrs.schedule != SCHEDULE_NONE) {
    return Unsupported(
        hlo, "StableHLO has no place for its literal or its schedule");
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.custom_call"));
  // Keep tuples: the callee sees them.
  op.operands.clear();
  op.operand_types.clear();
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(const Names names, NamesOf(*operand, frame));
    size_t next = 0;
    TF_ASSIGN_OR_RETURN(op.operands.emplace_back(),
                        MakeTuple(operand->shape(), names, &next));
    TF_ASSIGN_OR_RETURN(op.operand_types.emplace_back(),
                        TypeText(operand->shape()));
  }
  const std::vector<Shape> results = hlo.shape().IsTuple()
                                         ? hlo.shape().tuple_shapes()
                                         : std::vector<Shape>{hlo.shape()};
  op.result_types.clear();
  for (const Shape& shape : results) {
    TF_ASSIGN_OR_RETURN(op.result_types.emplace_back(), TypeText(shape));
  }
  op.attributes.push_back(absl::StrCat("call_target_name = ",
                                       QuotedText(attrs.custom_call_target)));
  op.attributes.push_back(
      BoolText("has_side_effect", attrs.custom_call_has_side_effect));
  op.attributes.push_back(absl::StrCat(
      "api_version = ", static_cast<int>(attrs.api_version), " : i32"));
  const std::string& config = hlo.raw_backend_config_string();
  const bool is_typed = attrs.api_version == API_VERSION_TYPED_FFI;
  if (!config.empty() && (!is_typed || absl::StartsWith(config, "{"))) {
    op.attributes.push_back(absl::StrCat(
        "backend_config = ", is_typed ? config : QuotedText(config)));
  }
  if (attrs.operand_layout_constraints.has_value()) {
    op.attributes.push_back(
        LayoutsText("operand_layouts", *attrs.operand_layout_constraints));
    op.attributes.push_back(LayoutsText("result_layouts", results));
  }
  if (!attrs.output_to_operand_aliasing.empty()) {
    op.attributes.push_back(AliasesText(attrs.output_to_operand_aliasing));
  }
  if (!hlo.called_computations().empty()) {
    std::vector<std::string> symbols;
    for (const HloComputation* computation : hlo.called_computations()) {
      symbols.push_back(SymbolText(FunctionName(computation)));
    }
    op.attributes.push_back(absl::StrCat("called_computations = [",
                                         absl::StrJoin(symbols, ", "), "]"));
  }
  TF_ASSIGN_OR_RETURN(const Names names, Write(op));
  Names leaves;
  for (size_t i = 0; i < results.size(); ++i) {
    TF_ASSIGN_OR_RETURN(const Names more, TakeApart(names[i], results[i]));
    leaves.insert(leaves.end(), more.begin(), more.end());
  }
  frame.names[&hlo] = std::move(leaves);
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintBarrier(const HloInstruction& hlo,
                                         Frame& frame) {
  if (hlo.opcode() == HloOpcode::kAfterAll) {
    for (const HloInstruction* operand : hlo.operands()) {
      if (!operand->shape().IsToken()) {
        return Unsupported(hlo, "StableHLO's comes after tokens alone");
      }
    }
    TF_ASSIGN_OR_RETURN(const OpText op,
                        Start(hlo, frame, "stablehlo.after_all"));
    return Finish(hlo, frame, op);
  }
  TF_ASSIGN_OR_RETURN(OpText op,
                      Start(hlo, frame, "stablehlo.optimization_barrier"));
  if (op.operands.empty()) {
    frame.names[&hlo] = {};
    return absl::OkStatus();
  }
  // add-dependency returns its first operand after its second, a token.
  op.result_types = op.operand_types;
  TF_ASSIGN_OR_RETURN(Names names, Write(op));
  names.resize(LeavesOf(hlo.shape()).size());
  frame.names[&hlo] = std::move(names);
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
