// Prints ops that move elements: shapes, slices, gather and scatter.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

// Returns whether `hlo` reads a size at run time, or resets one to the bound,
// that the type of its operand would state differently.
bool TypeHidesSize(const HloInstruction& hlo) {
  const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
  const HloInstruction& operand = *hlo.operand(0);
  if (operand.shape().is_dynamic_dimension(d) ||
      operand.opcode() == HloOpcode::kConstant ||
      (operand.opcode() == HloOpcode::kParameter &&
       operand.parent()->IsEntryComputation())) {
    return false;
  }
  if (hlo.opcode() == HloOpcode::kSetDimensionSize &&
      (hlo.shape().is_dynamic_dimension(d) || !hlo.operand(1)->IsConstant())) {
    return false;
  }
  for (const auto& computation : hlo.GetModule()->computations()) {
    for (const auto& other : computation->instructions()) {
      if (other != &hlo &&
          (other->opcode() == HloOpcode::kSetDimensionSize ||
           other->shape().is_dynamic())) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

// Each op is printed as the one that its attributes are of.
absl::Status ModulePrinter::PrintMovement(const HloInstruction& hlo,
                                          Frame& frame) {
  const Attrs& attrs = hlo.raw_attrs();
  if (const auto* broadcast = attrs.As<BroadcastAttrs>()) {
    return Pretty(hlo, frame, "stablehlo.broadcast_in_dim",
                  absl::StrCat(", dims = ", ListText(broadcast->dimensions)));
  }
  if (const auto* concatenate = attrs.As<ConcatenateAttrs>()) {
    return Pretty(hlo, frame, "stablehlo.concatenate",
                  absl::StrCat(", dim = ", concatenate->dimensions[0]));
  }
  if (const auto* iota = attrs.As<IotaAttrs>()) {
    return Pretty(hlo, frame, "stablehlo.iota",
                  absl::StrCat(" dim = ", iota->iota_dimension));
  }
  if (const auto* reverse = attrs.As<ReverseAttrs>()) {
    return Pretty(hlo, frame, "stablehlo.reverse",
                  absl::StrCat(", dims = ", ListText(reverse->dimensions)));
  }
  if (const auto* transpose = attrs.As<TransposeAttrs>()) {
    return Pretty(hlo, frame, "stablehlo.transpose",
                  absl::StrCat(", dims = ", ListText(transpose->dimensions)));
  }
  if (attrs.As<PadAttrs>() != nullptr) return PrintPad(hlo, frame);
  if (attrs.As<SliceAttrs>() != nullptr) return PrintSlice(hlo, frame);
  if (attrs.As<GatherAttrs>() != nullptr) return PrintGather(hlo, frame);
  // With sizes as attributes, or of an update, which has none.
  return PrintDynamicSlice(hlo, frame);
}

absl::Status ModulePrinter::PrintDimensionSize(const HloInstruction& hlo,
                                               Frame& frame) {
  const bool get = hlo.opcode() == HloOpcode::kGetDimensionSize;
  if (TypeHidesSize(hlo)) {
    return Unsupported(hlo,
                       "its operand is declared as static, and StableHLO takes "
                       "the size from the type");
  }
  return Pretty(
      hlo, frame,
      get ? "stablehlo.get_dimension_size" : "stablehlo.set_dimension_size",
      absl::StrCat(", dim = ", hlo.attrs<DimensionSizeAttrs>().dimensions[0]));
}

// Splits the indices of older HLO, a list, into scalars.
absl::StatusOr<ModulePrinter::OpText> ModulePrinter::SplitIndices(
    const HloInstruction& hlo, int64_t first, OpText op) {
  if (hlo.operand_count() != first + 1 ||
      hlo.operand(first)->shape().dimensions_size() != 1) {
    return op;
  }
  const Shape& list = hlo.operand(first)->shape();
  TF_ASSIGN_OR_RETURN(const std::string single,
                      TypeText(ShapeUtil::MakeShape(list.element_type(), {1})));
  TF_ASSIGN_OR_RETURN(const std::string scalar,
                      TypeText(ShapeUtil::MakeShape(list.element_type(), {})));
  const std::string name = op.operands.back();
  const std::string type = op.operand_types.back();
  op.operands.pop_back();
  op.operand_types.pop_back();
  for (int64_t i = 0; i < list.dimensions(0); ++i) {
    OpText slice;
    slice.name = "stablehlo.slice";
    slice.generic = false;
    slice.suffix = absl::StrCat(" [", i, ":", i + 1, "]");
    slice.operands = {name};
    slice.operand_types = {type};
    slice.result_types = {single};
    OpText index;
    index.name = "stablehlo.reshape";
    index.generic = false;
    TF_ASSIGN_OR_RETURN(index.operands, Write(slice));
    index.operand_types = {single};
    index.result_types = {scalar};
    TF_ASSIGN_OR_RETURN(const Names written, Write(index));
    op.operands.push_back(written[0]);
    op.operand_types.push_back(scalar);
  }
  return op;
}

absl::Status ModulePrinter::PrintDynamicSlice(const HloInstruction& hlo,
                                              Frame& frame) {
  const bool updates = hlo.opcode() == HloOpcode::kDynamicUpdateSlice;
  TF_ASSIGN_OR_RETURN(OpText op,
                      Start(hlo, frame,
                            updates ? "stablehlo.dynamic_update_slice"
                                    : "stablehlo.dynamic_slice"));
  TF_ASSIGN_OR_RETURN(op, SplitIndices(hlo, updates ? 2 : 1, std::move(op)));
  op.generic = false;
  if (!updates) {
    op.suffix = absl::StrCat(
        ", sizes = ",
        ListText(hlo.attrs<DynamicSliceAttrs>().dynamic_slice_sizes));
  }
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintPad(const HloInstruction& hlo, Frame& frame) {
  std::vector<int64_t> low, high, interior;
  for (const auto& dimension : hlo.attrs<PadAttrs>().padding.dimensions()) {
    low.push_back(dimension.edge_padding_low());
    high.push_back(dimension.edge_padding_high());
    interior.push_back(dimension.interior_padding());
  }
  return Pretty(
      hlo, frame, "stablehlo.pad",
      absl::StrCat(", low = ", ListText(low), ", high = ", ListText(high),
                   ", interior = ", ListText(interior)));
}

absl::Status ModulePrinter::PrintSlice(const HloInstruction& hlo,
                                       Frame& frame) {
  std::vector<std::string> ranges;
  for (const SliceRange& range : hlo.attrs<SliceAttrs>().slice) {
    ranges.push_back(
        absl::StrCat(range.start, ":", range.limit, ":", range.stride));
  }
  return Pretty(hlo, frame, "stablehlo.slice",
                absl::StrCat(" [", absl::StrJoin(ranges, ", "), "]"));
}

// A bitcast reinterprets bytes; without layouts it is a reshape.
absl::Status ModulePrinter::PrintBitcast(const HloInstruction& hlo,
                                         Frame& frame) {
  const Shape& from = hlo.operand(0)->shape();
  const Shape& to = hlo.shape();
  for (const Shape* shape : {&from, &to}) {
    if (!shape->IsArray() || !IsDenseRowMajor(*shape)) {
      return Unsupported(hlo, "depends on layouts, which StableHLO lacks");
    }
  }
  if (from.element_type() == to.element_type()) {
    return Pretty(hlo, frame, "stablehlo.reshape");
  }
  if (from.dimensions() == to.dimensions() &&
      primitive_util::BitWidth(from.element_type()) ==
          primitive_util::BitWidth(to.element_type())) {
    return Pretty(hlo, frame, "stablehlo.bitcast_convert");
  }
  return Unsupported(hlo, "changes element type and shape at once");
}

// Makes a list of the sizes, which are scalars.
absl::Status ModulePrinter::PrintDynamicReshape(const HloInstruction& hlo,
                                                Frame& frame) {
  TF_ASSIGN_OR_RETURN(OpText op,
                      Start(hlo, frame, "stablehlo.dynamic_reshape"));
  if (ShapeUtil::ElementsIn(hlo.shape()) !=
      ShapeUtil::ElementsIn(hlo.operand(0)->shape())) {
    return Unsupported(hlo, "the bounds hold more elements than the operand");
  }
  OpText sizes;
  sizes.name = "stablehlo.concatenate";
  sizes.attributes = {"dimension = 0 : i64"};
  for (size_t i = 1; i < op.operands.size(); ++i) {
    OpText size;
    size.name = "stablehlo.reshape";
    size.operands = {op.operands[i]};
    size.operand_types = {op.operand_types[i]};
    TF_ASSIGN_OR_RETURN(size.result_types.emplace_back(),
                        TypeText(ShapeUtil::MakeShape(
                            hlo.operand(i)->shape().element_type(), {1})));
    TF_ASSIGN_OR_RETURN(const Names name, Write(size));
    sizes.operands.push_back(name[0]);
    sizes.operand_types.push_back(size.result_types[0]);
  }
  if (sizes.operands.empty()) {
    return Unsupported(hlo, "reshapes to a scalar");
  }
  TF_ASSIGN_OR_RETURN(sizes.result_types.emplace_back(),
                      TypeText(ShapeUtil::MakeShape(
                          hlo.operand(1)->shape().element_type(),
                          {static_cast<int64_t>(sizes.operands.size())})));
  TF_ASSIGN_OR_RETURN(const Names list, Write(sizes));
  op.operands = {op.operands[0], list[0]};
  op.operand_types = {op.operand_types[0], sizes.result_types[0]};
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintGather(const HloInstruction& hlo,
                                        Frame& frame) {
  const auto& attrs = hlo.attrs<GatherAttrs>();
  const GatherDimensionNumbers& dims = attrs.dimension_numbers;
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.gather"));
  op.attributes.push_back(absl::StrCat(
      "dimension_numbers = #stablehlo.gather<offset_dims = ",
      ListText(dims.offset_dims()),
      ", collapsed_slice_dims = ", ListText(dims.collapsed_slice_dims()),
      ", operand_batching_dims = ", ListText(dims.operand_batching_dims()),
      ", start_indices_batching_dims = ",
      ListText(dims.start_indices_batching_dims()),
      ", start_index_map = ", ListText(dims.start_index_map()),
      ", index_vector_dim = ", dims.index_vector_dim(), ">"));
  op.attributes.push_back(
      absl::StrCat("slice_sizes = ", ArrayText(attrs.slice_sizes)));
  op.attributes.push_back(
      BoolText("indices_are_sorted", attrs.indices_are_sorted));
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintScatter(const HloInstruction& hlo,
                                         Frame& frame) {
  const auto& attrs = hlo.attrs<ScatterAttrs>();
  const ScatterDimensionNumbers& dims = attrs.dimension_numbers;
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.scatter"));
  op.attributes.push_back(absl::StrCat(
      "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = ",
      ListText(dims.update_window_dims()),
      ", inserted_window_dims = ", ListText(dims.inserted_window_dims()),
      ", input_batching_dims = ", ListText(dims.input_batching_dims()),
      ", scatter_indices_batching_dims = ",
      ListText(dims.scatter_indices_batching_dims()),
      ", scatter_dims_to_operand_dims = ",
      ListText(dims.scatter_dims_to_operand_dims()),
      ", index_vector_dim = ", dims.index_vector_dim(), ">"));
  op.attributes.push_back(
      BoolText("indices_are_sorted", attrs.indices_are_sorted));
  op.attributes.push_back(BoolText("unique_indices", attrs.unique_indices));
  const int64_t count = hlo.operand_count() / 2;
  TF_RETURN_IF_ERROR(
      AddReduction(hlo, hlo.to_apply(), count, hlo.shape(), op, count));
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintTopK(const HloInstruction& hlo, Frame& frame) {
  const auto& attrs = hlo.attrs<TopKAttrs>();
  if (!attrs.largest) {
    TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.custom_call"));
    op.attributes.push_back("call_target_name = \"mhlo.topk\"");
    op.attributes.push_back(absl::StrCat(
        "mhlo.attributes = {", Int64Text("k", attrs.k), ", largest = false}"));
    op.attributes.push_back("mhlo.version = 1 : i64");
    return Finish(hlo, frame, op);
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "chlo.top_k"));
  op.attributes.push_back(Int64Text("k", attrs.k));
  return Finish(hlo, frame, op);
}

}  // namespace xla::stablehlo
