// Ops that call a computation for elements: reduce, sort, map, windows, scan.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {

ModulePrinter::RegionText ModulePrinter::FoldRegion(
    const HloInstruction& hlo, const HloComputation* computation,
    int64_t count) {
  const std::vector<const Shape*> results = LeavesOf(hlo.shape());
  count = std::min<int64_t>(count, results.size());
  RegionText region{computation};
  for (int64_t i = 0; i < 2 * count; ++i) {
    region.argument_types.push_back(results[i % count]->element_type());
  }
  region.result_types.assign(region.argument_types.begin(),
                             region.argument_types.begin() + count);
  return region;
}

absl::Status ModulePrinter::PrintFold(const HloInstruction& hlo, Frame& frame) {
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
  if (hlo.opcode() == HloOpcode::kReduce) {
    region = FoldRegion(hlo, hlo.to_apply(), hlo.operand_count() / 2);
  } else if (hlo.opcode() == HloOpcode::kMap) {
    for (const HloInstruction* operand : hlo.operands()) {
      region.argument_types.push_back(operand->shape().element_type());
    }
    region.result_types = {hlo.shape().element_type()};
  }
  op.regions.push_back(std::move(region));
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintWindowFold(const HloInstruction& hlo,
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
    RegionText select = FoldRegion(hlo, hlo.called_computations()[0], 1);
    select.result_types = {PRED};
    op.regions.push_back(std::move(select));
    op.regions.push_back(FoldRegion(hlo, hlo.called_computations()[1], 1));
  } else {
    op.regions.push_back(
        FoldRegion(hlo, hlo.to_apply(), hlo.operand_count() / 2));
  }
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
