// Rules for ops that exchange values with the host or another program.
#include "xla/hlo/ops/device/transfers.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/stablehlo/to_hlo/conversion/annotations.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

// StableHLO's last result (operand) is the token; HLO has those before it as a
// tuple.
absl::Status ExpectToken(const OpConversion& conversion) {
  if (conversion.operand_count() > 0 &&
      conversion.operands().back()->shape().IsToken()) {
    return absl::OkStatus();
  }
  return conversion.Error("its last operand must be a token");
}

Instructions Data(const OpConversion& conversion) {
  return Instructions(conversion.operands().begin(),
                      conversion.operands().end() - 1);
}

HloInstruction* Element(OpConversion& conversion, HloInstruction* tuple,
                        int64_t index) {
  return conversion.computation().AddInstruction(
      HloInstruction::CreateGetTupleElement(tuple, index));
}

// Sets the results from (data, ..., token), where several data are a tuple.
void SetDataAndToken(OpConversion& conversion, HloInstruction* pair,
                     bool data_is_tuple) {
  const int64_t count = conversion.result_count() - 1;
  std::vector<HloInstruction*> results;
  if (count > 0) {
    HloInstruction* data = Element(conversion, pair, 0);
    for (int64_t i = 0; i < count; ++i) {
      results.push_back(data_is_tuple ? Element(conversion, data, i) : data);
    }
  }
  results.push_back(Element(conversion, pair, 1));
  conversion.SetEachResult(results);
}

absl::StatusOr<std::vector<Shape>> DataShapes(const OpConversion& conversion) {
  if (conversion.result_count() < 1) {
    return conversion.Error("its last result must be a token");
  }
  std::vector<Shape> shapes(conversion.result_count() - 1);
  for (size_t i = 0; i < shapes.size(); ++i) {
    TF_ASSIGN_OR_RETURN(shapes[i], conversion.ResultShape(i));
  }
  return shapes;
}

// Reads the attribute `layout`: the dimensions of each array, minor to major.
absl::Status SetInfeedLayouts(const OpConversion& conversion,
                              std::vector<Shape>& shapes) {
  const Attribute* layouts = conversion.Find("layout");
  if (layouts == nullptr || layouts->elements.empty()) return absl::OkStatus();
  if (layouts->elements.size() != shapes.size()) {
    return conversion.Error(
        absl::StrCat("layout must have ", shapes.size(), " layouts"));
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    const absl::StatusOr<std::vector<int64_t>> minor_to_major =
        IntegersOfAttribute(*layouts->elements[i]);
    if (!minor_to_major.ok() || !shapes[i].IsArray()) {
      return conversion.Error("layout must have lists of dimensions of arrays");
    }
    if (shapes[i].rank() == 0) continue;
    Layout layout = LayoutUtil::MakeLayout(*minor_to_major);
    TF_RETURN_IF_ERROR(conversion.Annotate(
        LayoutUtil::ValidateLayoutForShape(layout, shapes[i])));
    *shapes[i].mutable_layout() = std::move(layout);
  }
  return absl::OkStatus();
}

absl::Status ConvertInfeed(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(ExpectToken(conversion));
  TF_ASSIGN_OR_RETURN(std::vector<Shape> shapes, DataShapes(conversion));
  TF_RETURN_IF_ERROR(SetInfeedLayouts(conversion, shapes));
  InfeedAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.infeed_config,
                      conversion.StringOr("infeed_config", ""));
  HloInstruction* infeed = conversion.Add(
      HloOpcode::kInfeed,
      ShapeUtil::MakeTupleShape(
          {ShapeUtil::MakeTupleShape(shapes), ShapeUtil::MakeTokenShape()}),
      conversion.operands(), std::move(attrs));
  SetDataAndToken(conversion, infeed, /*data_is_tuple=*/true);
  return absl::OkStatus();
}

absl::Status ConvertOutfeed(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(ExpectToken(conversion));
  HloInstruction* data = conversion.computation().AddInstruction(
      HloInstruction::CreateTuple(Data(conversion)));
  OutfeedAttrs attrs;
  attrs.outfeed_shape = data->shape();
  TF_ASSIGN_OR_RETURN(attrs.outfeed_config,
                      conversion.StringOr("outfeed_config", ""));
  return conversion.Emit(HloOpcode::kOutfeed,
                         {data, conversion.operands().back()},
                         std::move(attrs));
}

// The types of a channel handle.
enum ChannelType : int64_t {
  kDeviceToDevice = 1,
  kDeviceToHost = 2,
  kHostToDevice = 3
};

absl::StatusOr<ChannelAttrs> ReadChannel(const OpConversion& conversion,
                                         ChannelType with_host) {
  ChannelAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.channel_id, conversion.Integer("channel_id"));
  TF_ASSIGN_OR_RETURN(attrs.is_host_transfer,
                      conversion.BoolOr("is_host_transfer", false));
  const int64_t type = attrs.is_host_transfer ? with_host : kDeviceToDevice;
  TF_ASSIGN_OR_RETURN(const int64_t given,
                      conversion.IntegerOr("channel_type", type));
  if (given != type) {
    return conversion.Error(absl::StrCat(
        "channel_type must be ", type, " with is_host_transfer = ",
        attrs.is_host_transfer ? "true" : "false", ", got ", given));
  }
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> pairs,
                      conversion.IntegersOrEmpty("source_target_pairs"));
  if (!pairs.empty()) {
    return conversion.Unimplemented("source_target_pairs");
  }
  return attrs;
}

absl::Status ConvertSend(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(ExpectToken(conversion));
  TF_ASSIGN_OR_RETURN(const ChannelAttrs attrs,
                      ReadChannel(conversion, kDeviceToHost));
  HloInstruction* data = AsOne(Data(conversion), conversion.computation());
  HloInstruction* send = conversion.Add(
      HloOpcode::kSend,
      ShapeUtil::MakeTupleShape({data->shape(), ShapeUtil::MakeShape(U32, {}),
                                 ShapeUtil::MakeTokenShape()}),
      {data, conversion.operands().back()}, attrs);
  AnnotateInstruction(conversion.op(), *send);
  return conversion.Emit(HloOpcode::kSendDone, {send}, attrs);
}

absl::Status ConvertRecv(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(ExpectToken(conversion));
  TF_ASSIGN_OR_RETURN(const ChannelAttrs attrs,
                      ReadChannel(conversion, kHostToDevice));
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes, DataShapes(conversion));
  const Shape data =
      shapes.size() == 1 ? shapes[0] : ShapeUtil::MakeTupleShape(shapes);
  const Shape token = ShapeUtil::MakeTokenShape();
  HloInstruction* recv = conversion.Add(
      HloOpcode::kRecv,
      ShapeUtil::MakeTupleShape({data, ShapeUtil::MakeShape(U32, {}), token}),
      conversion.operands(), attrs);
  AnnotateInstruction(conversion.op(), *recv);
  HloInstruction* done =
      conversion.Add(HloOpcode::kRecvDone,
                     ShapeUtil::MakeTupleShape({data, token}), {recv}, attrs);
  AnnotateInstruction(conversion.op(), *done);
  SetDataAndToken(conversion, done, /*data_is_tuple=*/shapes.size() != 1);
  return absl::OkStatus();
}

constexpr Rule kTransfersRules[] = {
    {"stablehlo.infeed", ConvertInfeed},
    {"stablehlo.outfeed", ConvertOutfeed},
    {"stablehlo.recv", ConvertRecv},
    {"stablehlo.send", ConvertSend},
};

}  // namespace

absl::Span<const Rule> TransferRules() { return kTransfersRules; }

}  // namespace xla::stablehlo
