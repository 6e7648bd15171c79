// Prints ops that apply a computation to elements: reduce, sort, map, windows,
// scan.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

PrimitiveType HoldingTypeOf(absl::Span<const HloInstruction* const> operands) {
  PrimitiveType type = operands[0]->shape().element_type();
  for (const HloInstruction* operand : operands) {
    type = HoldingType(type, operand->shape().element_type());
  }
  return type;
}

}  // namespace

absl::Status ModulePrinter::AddReduction(const HloInstruction& hlo,
                                         const HloComputation* computation,
                                         size_t count, const Shape& result,
                                         OpText& op,
                                         std::optional<int64_t> indices) {
  std::vector<int64_t> operands;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    if (i != indices) operands.push_back(i);
  }
  const std::vector<const Shape*> reduced =
      LeavesOf(computation->root_instruction()->shape());
  const std::vector<const Shape*> results = LeavesOf(result);
  RegionText region{computation};
  for (size_t i = 0; i < count; ++i) {
    std::vector<const HloInstruction*> values;
    for (size_t j = i; j < operands.size(); j += count) {
      values.push_back(hlo.operand(operands[j]));
    }
    // The operands of an accumulator must have the same type.
    const PrimitiveType type = HoldingTypeOf(values);
    for (size_t j = i; j < operands.size(); j += count) {
      TF_RETURN_IF_ERROR(ConvertOperand(hlo, operands[j], type, op));
    }
    PrimitiveType accumulator = HoldingType(type, reduced[i]->element_type());
    for (size_t j = i; j < results.size(); j += count) {
      accumulator = HoldingType(accumulator, results[j]->element_type());
    }
    for (size_t j = i; j < results.size(); j += count) {
      if (results[j]->element_type() == accumulator) continue;
      Shape shape = *results[j];
      shape.set_element_type(accumulator);
      TF_ASSIGN_OR_RETURN(op.result_types[j], TypeText(shape));
      op.converted_results.push_back(
          {j, std::move(shape), results[j]->element_type()});
    }
    region.result_types.push_back(accumulator);
  }
  region.argument_types = region.result_types;
  region.argument_types.insert(region.argument_types.end(),
                               region.result_types.begin(),
                               region.result_types.end());
  op.regions.push_back(std::move(region));
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintReduction(const HloInstruction& hlo,
                                           Frame& frame) {
  TF_ASSIGN_OR_RETURN(
      OpText op,
      Start(hlo, frame,
            absl::StrCat("stablehlo.", HloOpcodeString(hlo.opcode()))));
  if (hlo.opcode() == HloOpcode::kSort) {
    const auto& attrs = hlo.attrs<SortAttrs>();
    op.attributes.push_back(Int64Text("dimension", attrs.dimensions[0]));
    op.attributes.push_back(BoolText("is_stable", attrs.is_stable));
  } else {
    const std::vector<int64_t>& dimensions =
        hlo.opcode() == HloOpcode::kMap ? hlo.attrs<MapAttrs>().dimensions
                                        : hlo.attrs<ReduceAttrs>().dimensions;
    op.attributes.push_back(
        absl::StrCat("dimensions = ", ArrayText(dimensions)));
  }
  RegionText region{hlo.to_apply()};
  if (hlo.def().reduces) {
    TF_RETURN_IF_ERROR(AddReduction(hlo, hlo.to_apply(),
                                    hlo.operand_count() / 2, hlo.shape(), op));
    return Finish(hlo, frame, op);
  }
  if (hlo.opcode() == HloOpcode::kMap) {
    for (const HloInstruction* operand : hlo.operands()) {
      region.argument_types.push_back(operand->shape().element_type());
    }
    region.result_types = {hlo.shape().element_type()};
  }
  op.regions.push_back(std::move(region));
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintWindowReduction(const HloInstruction& hlo,
                                                 Frame& frame) {
  const bool scatters = hlo.opcode() == HloOpcode::kSelectAndScatter;
  const Window& window = scatters ? hlo.attrs<SelectAndScatterAttrs>().window
                                  : hlo.attrs<ReduceWindowAttrs>().window;
  std::vector<int64_t> sizes, strides, base, dilations;
  std::vector<std::vector<int64_t>> padding;
  for (const WindowDimension& dimension : window.dimensions()) {
    if (dimension.window_reversal()) {
      return Unsupported(hlo, "StableHLO has no reversed windows here");
    }
    sizes.push_back(dimension.size());
    strides.push_back(dimension.stride());
    base.push_back(dimension.base_dilation());
    dilations.push_back(dimension.window_dilation());
    padding.push_back({dimension.padding_low(), dimension.padding_high()});
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame,
                                       scatters ? "stablehlo.select_and_scatter"
                                                : "stablehlo.reduce_window"));
  op.attributes.push_back(
      absl::StrCat("window_dimensions = ", ArrayText(sizes)));
  op.attributes.push_back(
      absl::StrCat("window_strides = ", ArrayText(strides)));
  if (!scatters) {
    op.attributes.push_back(absl::StrCat("base_dilations = ", ArrayText(base)));
    op.attributes.push_back(
        absl::StrCat("window_dilations = ", ArrayText(dilations)));
  } else if (std::count(base.begin(), base.end(), 1) !=
                 static_cast<int64_t>(base.size()) ||
             std::count(dilations.begin(), dilations.end(), 1) !=
                 static_cast<int64_t>(dilations.size())) {
    return Unsupported(hlo, "StableHLO has no dilated windows here");
  }
  if (!padding.empty()) {
    op.attributes.push_back(absl::StrCat("padding = ", MatrixText(padding)));
  }
  if (scatters) {
    const PrimitiveType type = HoldingTypeOf(hlo.operands());
    op.regions.push_back({.computation = hlo.called_computations()[0],
                          .argument_types = {type, type}});
  }
  const int64_t count = scatters ? 1 : hlo.operand_count() / 2;
  TF_RETURN_IF_ERROR(AddReduction(hlo, hlo.called_computations().back(), count,
                                  hlo.shape(), op));
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintScan(const HloInstruction& hlo, Frame& frame) {
  const auto& attrs = hlo.attrs<ScanAttrs>();
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "chlo.scan"));
  const int64_t carries = attrs.num_carries;
  const int64_t inputs = static_cast<int64_t>(op.operands.size()) - carries;
  const int64_t outputs =
      static_cast<int64_t>(op.result_types.size()) - carries;
  op.attributes.push_back(Int64Text("dimension", attrs.dimensions[0]));
  op.attributes.push_back(BoolText("is_reverse", attrs.is_reverse));
  if (attrs.is_associative != TRI_STATE_UNSPECIFIED) {
    op.attributes.push_back(
        BoolText("is_associative", attrs.is_associative == TRI_STATE_TRUE));
  }
  op.attributes.push_back(absl::StrCat(
      "operandSegmentSizes = array<i32: ", inputs, ", ", carries, ">"));
  op.attributes.push_back(absl::StrCat(
      "resultSegmentSizes = array<i32: ", outputs, ", ", carries, ">"));
  op.regions.push_back({hlo.to_apply()});
  return Finish(hlo, frame, op);
}

}  // namespace xla::stablehlo
