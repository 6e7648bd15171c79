// Prints collectives, asynchronous or not, and transfers to and from the host.
// Asynchronous ops are printed where they start.
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

// StableHLO's channel types.
constexpr int kDeviceToDevice = 1;
constexpr int kDeviceToHost = 2;
constexpr int kHostToDevice = 3;

std::string ChannelText(int64_t id, int type) {
  return absl::StrCat("channel_handle = #stablehlo.channel_handle<handle = ",
                      id, ", type = ", type, ">");
}

// No groups mean one group of all devices.
std::string GroupsText(const ReplicaGroups& groups) {
  return absl::StrCat("replica_groups = ", MatrixText(groups.groups()));
}

// Returns the shape of the matching "done".
const Shape& ResultOfStart(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kCollectivePermuteStart:
      return hlo.shape().tuple_shapes(1);
    case HloOpcode::kCopyStart:
      return hlo.shape().tuple_shapes(0);
    default:
      return hlo.shape();
  }
}

}  // namespace

absl::Status ModulePrinter::PrintCollective(const HloInstruction& hlo,
                                            Frame& frame) {
  OpText op;
  const auto start = [&](absl::string_view name) -> absl::Status {
    TF_ASSIGN_OR_RETURN(op, Start(hlo, frame, name));
    op.result_types.clear();
    for (const Shape* leaf : LeavesOf(ResultOfStart(hlo))) {
      TF_ASSIGN_OR_RETURN(op.result_types.emplace_back(), TypeText(*leaf));
    }
    return absl::OkStatus();
  };
  const auto channel = [&](const std::optional<int64_t>& id) {
    if (!id.has_value()) return;
    op.attributes.push_back(ChannelText(*id, kDeviceToDevice));
  };
  const auto add_groups = [&](const auto& attrs) {
    if constexpr (requires { attrs.use_global_device_ids; }) {
      if (attrs.use_global_device_ids) {
        op.attributes.push_back("use_global_device_ids");
      }
    }
    op.attributes.push_back(GroupsText(attrs.replica_groups));
    channel(attrs.channel_id);
  };
  bool each = false;  // one op per operand
  if (const auto* gather = hlo.raw_attrs().As<AllGatherAttrs>()) {
    for (const HloInstruction* operand : hlo.operands()) {
      if (operand->shape().dimensions(gather->dimensions[0]) == 0) {
        return Unsupported(hlo, "StableHLO gathers along no empty dimension");
      }
    }
    TF_RETURN_IF_ERROR(start("stablehlo.all_gather"));
    op.attributes.push_back(Int64Text("all_gather_dim", gather->dimensions[0]));
    add_groups(*gather);
  } else if (const auto* reduce = hlo.raw_attrs().As<AllReduceAttrs>()) {
    TF_RETURN_IF_ERROR(start("stablehlo.all_reduce"));
    add_groups(*reduce);
    TF_RETURN_IF_ERROR(
        AddReduction(hlo, hlo.to_apply(), 1, ResultOfStart(hlo), op));
  } else if (const auto* scatter = hlo.raw_attrs().As<ReduceScatterAttrs>()) {
    TF_RETURN_IF_ERROR(start("stablehlo.reduce_scatter"));
    op.attributes.push_back(
        Int64Text("scatter_dimension", scatter->dimensions[0]));
    add_groups(*scatter);
    TF_RETURN_IF_ERROR(
        AddReduction(hlo, hlo.to_apply(), 1, ResultOfStart(hlo), op));
    each = true;
  } else if (const auto* broadcast =
                 hlo.raw_attrs().As<CollectiveBroadcastAttrs>()) {
    TF_RETURN_IF_ERROR(start("stablehlo.collective_broadcast"));
    add_groups(*broadcast);
    each = true;
  } else if (const auto* permute =
                 hlo.raw_attrs().As<CollectivePermuteAttrs>()) {
    TF_RETURN_IF_ERROR(start("stablehlo.collective_permute"));
    std::vector<std::vector<int64_t>> pairs;
    for (const auto& [source, target] : permute->source_target_pairs) {
      pairs.push_back({source, target});
    }
    op.attributes.push_back(
        pairs.empty()
            ? "source_target_pairs = dense<> : tensor<0x2xi64>"
            : absl::StrCat("source_target_pairs = ", MatrixText(pairs)));
    channel(permute->channel_id);
    each = true;
  } else {
    return Pretty(hlo, frame,
                  hlo.opcode() == HloOpcode::kPartitionId
                      ? "stablehlo.partition_id"
                      : "stablehlo.replica_id");
  }
  if (each) return PrintEachOperand(hlo, frame, op);
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintEachOperand(const HloInstruction& hlo,
                                             Frame& frame, const OpText& op) {
  if (op.operands.size() != op.result_types.size()) {
    return Unsupported(hlo, "StableHLO has no form that works in place");
  }
  Names names;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    OpText one = op;
    one.operands = {op.operands[i]};
    one.operand_types = {op.operand_types[i]};
    one.result_types = {op.result_types[i]};
    one.converted_results.clear();
    for (const ConvertedResult& converted : op.converted_results) {
      if (converted.number != i) continue;
      one.converted_results = {{0, converted.shape, converted.type}};
    }
    TF_ASSIGN_OR_RETURN(const Names name, Write(one));
    names.push_back(name[0]);
  }
  frame.names[&hlo] = std::move(names);
  return absl::OkStatus();
}

// The array form splits and concatenates along one dimension. The tuple form
// exchanges whole operands as blocks of a new first dimension.
absl::Status ModulePrinter::PrintAllToAll(const HloInstruction& hlo,
                                          Frame& frame) {
  const auto& attrs = hlo.attrs<AllToAllAttrs>();
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.all_to_all"));
  const bool has_channel = attrs.channel_id.has_value();
  const int64_t count =
      !attrs.replica_groups.groups().empty()
          ? static_cast<int64_t>(attrs.replica_groups.groups()[0].size())
      : attrs.dimensions.empty() ? hlo.operand_count()
                                 : module_.config().replica_count();
  const int64_t dimension = attrs.dimensions.empty() ? 0 : attrs.dimensions[0];
  op.attributes.push_back(Int64Text("split_dimension", dimension));
  op.attributes.push_back(Int64Text("concat_dimension", dimension));
  op.attributes.push_back(Int64Text("split_count", count));
  ReplicaGroups groups = attrs.replica_groups;
  if (groups.groups().empty()) {
    // StableHLO's verifier compares their number with the split.
    std::vector<int64_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    groups = ReplicaGroups({std::move(all)});
  }
  op.attributes.push_back(GroupsText(groups));
  if (has_channel) {
    op.attributes.push_back(ChannelText(*attrs.channel_id, kDeviceToDevice));
  }
  if (!attrs.dimensions.empty()) return Finish(hlo, frame, op);

  const Shape& part = hlo.operand(0)->shape();
  if (!part.IsArray() || part.is_dynamic()) {
    return Unsupported(hlo, "operands must be arrays of static shape");
  }
  std::vector<int64_t> sizes(part.dimensions().begin(),
                             part.dimensions().end());
  sizes.insert(sizes.begin(), 1);
  TF_ASSIGN_OR_RETURN(
      const std::string block,
      TypeText(ShapeUtil::MakeShape(part.element_type(), sizes)));
  sizes[0] = static_cast<int64_t>(op.operands.size());
  TF_ASSIGN_OR_RETURN(
      const std::string whole,
      TypeText(ShapeUtil::MakeShape(part.element_type(), sizes)));
  OpText join;
  join.name = "stablehlo.concatenate";
  join.attributes = {"dimension = 0 : i64"};
  join.result_types = {whole};
  for (size_t i = 0; i < op.operands.size(); ++i) {
    OpText reshape;
    reshape.name = "stablehlo.reshape";
    reshape.operands = {op.operands[i]};
    reshape.operand_types = {op.operand_types[i]};
    reshape.result_types = {block};
    TF_ASSIGN_OR_RETURN(const Names name, Write(reshape));
    join.operands.push_back(name[0]);
    join.operand_types.push_back(block);
  }
  TF_ASSIGN_OR_RETURN(op.operands, Write(join));
  const std::vector<std::string> results = op.result_types;
  op.operand_types = op.result_types = {whole};
  TF_ASSIGN_OR_RETURN(const Names all, Write(op));
  Names names;
  for (size_t i = 0; i < results.size(); ++i) {
    std::vector<int64_t> starts(sizes.size(), 0), limits = sizes;
    starts[0] = static_cast<int64_t>(i);
    limits[0] = starts[0] + 1;
    OpText slice;
    slice.name = "stablehlo.slice";
    slice.operands = all;
    slice.operand_types = {whole};
    slice.result_types = {block};
    slice.attributes = {
        absl::StrCat("start_indices = ", ArrayText(starts)),
        absl::StrCat("limit_indices = ", ArrayText(limits)),
        absl::StrCat("strides = ",
                     ArrayText(std::vector<int64_t>(sizes.size(), 1)))};
    OpText reshape;
    reshape.name = "stablehlo.reshape";
    TF_ASSIGN_OR_RETURN(reshape.operands, Write(slice));
    reshape.operand_types = {block};
    reshape.result_types = {results[i]};
    TF_ASSIGN_OR_RETURN(const Names name, Write(reshape));
    names.push_back(name[0]);
  }
  frame.names[&hlo] = std::move(names);
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintStart(const HloInstruction& hlo,
                                       Frame& frame) {
  switch (hlo.opcode()) {
    case HloOpcode::kAsyncStart:
      TF_RETURN_IF_ERROR(PrintInlined(hlo, frame));
      break;
    case HloOpcode::kCopyStart:
      TF_RETURN_IF_ERROR(Alias(hlo, frame));
      break;
    default:
      TF_RETURN_IF_ERROR(PrintCollective(hlo, frame));
  }
  frame.results[&hlo] = frame.names[&hlo];
  // Parts of the start itself have no values; only an all-reduce-start has its
  // result.
  if (hlo.opcode() != HloOpcode::kAllReduceStart) {
    frame.names[&hlo] = Names(LeavesOf(hlo.shape()).size());
  }
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintDone(const HloInstruction& hlo, Frame& frame) {
  const auto it = frame.results.find(hlo.operand(0));
  if (it == frame.results.end()) {
    return Unsupported(hlo, "it does not follow its start");
  }
  Names results = it->second;
  if (hlo.opcode() == HloOpcode::kAsyncUpdate) {
    frame.results[&hlo] = std::move(results);
    frame.names[&hlo] = Names(LeavesOf(hlo.shape()).size());
  } else {
    frame.names[&hlo] = std::move(results);
  }
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintTransfer(const HloInstruction& hlo,
                                          Frame& frame) {
  switch (hlo.opcode()) {
    case HloOpcode::kInfeed: {
      TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.infeed"));
      op.attributes.push_back(
          absl::StrCat("infeed_config = ",
                       QuotedText(hlo.attrs<InfeedAttrs>().infeed_config)));
      return Finish(hlo, frame, op);
    }
    case HloOpcode::kOutfeed: {
      TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.outfeed"));
      op.attributes.push_back(
          absl::StrCat("outfeed_config = ",
                       QuotedText(hlo.attrs<OutfeedAttrs>().outfeed_config)));
      return Finish(hlo, frame, op);
    }
    case HloOpcode::kSendDone: {
      const auto it = frame.results.find(hlo.operand(0));
      if (it == frame.results.end()) return Unsupported(hlo, "has no send");
      frame.names[&hlo] = Names(it->second);
      return absl::OkStatus();
    }
    case HloOpcode::kRecv:
      // It waits where its "done" is printed, since sends may come in between.
      frame.names[&hlo] = Names(LeavesOf(hlo.shape()).size());
      return absl::OkStatus();
    case HloOpcode::kRecvDone:
      TF_RETURN_IF_ERROR(PrintChannelOp(*hlo.operand(0), frame));
      frame.names[&hlo] = frame.results[hlo.operand(0)];
      return absl::OkStatus();
    default:
      return PrintChannelOp(hlo, frame);
  }
}

absl::Status ModulePrinter::PrintChannelOp(const HloInstruction& hlo,
                                           Frame& frame) {
  const bool sends = hlo.opcode() == HloOpcode::kSend;
  if (!sends && hlo.opcode() != HloOpcode::kRecv) {
    return Unsupported(hlo, "its done does not follow it");
  }
  const auto& attrs = hlo.attrs<ChannelAttrs>();
  TF_ASSIGN_OR_RETURN(
      OpText op,
      Start(hlo, frame, sends ? "stablehlo.send" : "stablehlo.recv"));
  op.attributes.push_back(ChannelText(attrs.channel_id.value_or(0),
                                      !attrs.is_host_transfer ? kDeviceToDevice
                                      : sends                 ? kDeviceToHost
                                                              : kHostToDevice));
  op.attributes.push_back(BoolText("is_host_transfer", attrs.is_host_transfer));
  // Drop the context of (data, context, token); send returns only the token.
  const std::string token = op.result_types.back();
  op.result_types.resize(op.result_types.size() - 2);
  if (sends) op.result_types.clear();
  op.result_types.push_back(token);
  TF_ASSIGN_OR_RETURN(frame.results[&hlo], Write(op));
  frame.names[&hlo] = Names(LeavesOf(hlo.shape()).size());
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
