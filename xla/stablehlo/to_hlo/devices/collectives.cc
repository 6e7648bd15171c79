// Rules for ops between devices.
#include "xla/hlo/ops/device/collectives.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/devices/device_groups.h"

namespace xla::stablehlo {
namespace {

absl::StatusOr<DeviceGroups> Rows(const OpConversion& conversion,
                                  absl::string_view name) {
  const Attribute* attribute = conversion.Find(name);
  if (attribute == nullptr) return DeviceGroups();
  return GroupsOf(*attribute, name, conversion);
}

// Sets channel_id, replica_groups and use_global_device_ids if A has them.
template <typename A>
absl::Status ReadGroups(const OpConversion& conversion, A& attrs) {
  TF_ASSIGN_OR_RETURN(const int64_t channel,
                      conversion.IntegerOr("channel_id", 0));
  if (channel > 0) attrs.channel_id = channel;
  // The channel type is missing or between devices; other types are for the
  // host.
  TF_ASSIGN_OR_RETURN(const int64_t type,
                      conversion.IntegerOr("channel_type", 0));
  if (type != 0 && type != 1) {
    return conversion.Error(
        absl::StrCat("channel_type must be 1, between devices, got ", type));
  }
  if constexpr (requires { attrs.replica_groups; }) {
    TF_ASSIGN_OR_RETURN(auto rows, Rows(conversion, "replica_groups"));
    attrs.replica_groups = ReplicaGroups(std::move(rows));
  }
  if constexpr (requires { attrs.use_global_device_ids; }) {
    TF_ASSIGN_OR_RETURN(attrs.use_global_device_ids,
                        conversion.BoolOr("use_global_device_ids", false));
  }
  return absl::OkStatus();
}

absl::Status ConvertAllGather(OpConversion& conversion) {
  AllGatherAttrs attrs;
  TF_RETURN_IF_ERROR(ReadGroups(conversion, attrs));
  TF_ASSIGN_OR_RETURN(const int64_t dimension,
                      conversion.Integer("all_gather_dim"));
  attrs.dimensions = {dimension};
  return conversion.Emit(HloOpcode::kAllGather, conversion.operands(),
                         std::move(attrs));
}

// Converts the operands to the region's type, which may be wider: operands and
// results of HLO's collectives have the same type.
Instructions PromotedOperands(OpConversion& conversion,
                              const HloComputation& reducer) {
  const Shape& reduced = reducer.root_instruction()->shape();
  Instructions operands(conversion.operands().begin(),
                        conversion.operands().end());
  for (HloInstruction*& operand : operands) {
    Shape shape = operand->shape();
    if (!shape.IsArray() || !reduced.IsArray() ||
        shape.element_type() == reduced.element_type() ||
        !primitive_util::CastPreservesValues(shape.element_type(),
                                             reduced.element_type())) {
      continue;
    }
    shape.set_element_type(reduced.element_type());
    operand = conversion.Add(HloOpcode::kConvert, std::move(shape), {operand});
  }
  return operands;
}

absl::Status ConvertAllReduce(OpConversion& conversion) {
  AllReduceAttrs attrs;
  TF_RETURN_IF_ERROR(ReadGroups(conversion, attrs));
  TF_ASSIGN_OR_RETURN(HloComputation * reducer, conversion.Region(0));
  return conversion.Emit(HloOpcode::kAllReduce,
                         PromotedOperands(conversion, *reducer),
                         std::move(attrs), {reducer});
}

absl::Status ConvertReduceScatter(OpConversion& conversion) {
  ReduceScatterAttrs attrs;
  TF_RETURN_IF_ERROR(ReadGroups(conversion, attrs));
  TF_ASSIGN_OR_RETURN(const int64_t dimension,
                      conversion.Integer("scatter_dimension"));
  attrs.dimensions = {dimension};
  TF_ASSIGN_OR_RETURN(HloComputation * reducer, conversion.Region(0));
  return conversion.Emit(HloOpcode::kReduceScatter,
                         PromotedOperands(conversion, *reducer),
                         std::move(attrs), {reducer});
}

// HLO's array form leaves the blocks of the peers along the dimension that was
// split: `all`, whose dimension `split` is (blocks, rest). This moves the
// blocks in front of dimension `concat`.
absl::StatusOr<HloInstruction*> MoveBlocks(HloInstruction* all, int64_t split,
                                           int64_t concat, int64_t blocks,
                                           OpConversion& conversion) {
  std::vector<int64_t> apart(all->shape().dimensions().begin(),
                             all->shape().dimensions().end());
  const int64_t rank = apart.size();
  const PrimitiveType type = all->shape().element_type();
  apart[split] /= blocks;
  std::vector<int64_t> together = apart;
  together[concat] *= blocks;
  apart.insert(apart.begin() + split, blocks);
  HloInstruction* split_up = conversion.Add(
      HloOpcode::kReshape, ShapeUtil::MakeShape(type, apart), {all});
  // Dimension i of the operand is i of `apart` before `split`, else i + 1.
  TransposeAttrs order;
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == concat) order.dimensions.push_back(split);
    order.dimensions.push_back(i < split ? i : i + 1);
  }
  for (int64_t from : order.dimensions) sizes.push_back(apart[from]);
  HloInstruction* moved =
      conversion.Add(HloOpcode::kTranspose, ShapeUtil::MakeShape(type, sizes),
                     {split_up}, std::move(order));
  return conversion.Add(HloOpcode::kReshape,
                        ShapeUtil::MakeShape(type, together), {moved});
}

// Checks that `count`, the split_count of all_to_all, is the size of its
// groups.
absl::Status CheckSplitCount(const OpConversion& conversion,
                             const DeviceGroups& groups, int64_t count) {
  for (const std::vector<int64_t>& group : groups) {
    if (static_cast<int64_t>(group.size()) == count) continue;
    return conversion.Error(absl::StrCat("split_count is ", count,
                                         ", but groups have ", group.size(),
                                         " devices"));
  }
  return absl::OkStatus();
}

absl::Status ConvertAllToAll(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(conversion.operand_count()));
  TF_ASSIGN_OR_RETURN(const int64_t split,
                      conversion.Integer("split_dimension"));
  TF_ASSIGN_OR_RETURN(const int64_t concat,
                      conversion.Integer("concat_dimension"));
  TF_ASSIGN_OR_RETURN(const int64_t count, conversion.Integer("split_count"));
  AllToAllAttrs attrs;
  TF_RETURN_IF_ERROR(ReadGroups(conversion, attrs));
  TF_RETURN_IF_ERROR(
      CheckSplitCount(conversion, attrs.replica_groups.groups(), count));
  attrs.dimensions = {split};
  std::vector<HloInstruction*> results;
  for (HloInstruction* operand : conversion.operands()) {
    const Shape& shape = operand->shape();
    const int64_t rank = shape.IsArray() ? shape.dimensions_size() : 0;
    if (split < 0 || split >= rank || concat < 0 || concat >= rank ||
        count < 1 || shape.dimensions(split) % count != 0 ||
        shape.is_dynamic()) {
      return conversion.Error(absl::StrCat(
          "cannot split dimension ", split, " of ", shape.ToString(), " in ",
          count, " and concatenate along ", concat));
    }
    TF_ASSIGN_OR_RETURN(
        HloInstruction * all,
        conversion.Infer(HloOpcode::kAllToAll, {&operand, 1}, attrs));
    if (split != concat) {
      TF_ASSIGN_OR_RETURN(all,
                          MoveBlocks(all, split, concat, count, conversion));
    }
    results.push_back(all);
  }
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

absl::Status ConvertCollectivePermute(OpConversion& conversion) {
  CollectivePermuteAttrs attrs;
  TF_RETURN_IF_ERROR(ReadGroups(conversion, attrs));
  TF_ASSIGN_OR_RETURN(const auto rows, Rows(conversion, "source_target_pairs"));
  for (const std::vector<int64_t>& row : rows) {
    if (row.size() != 2) {
      return conversion.Error("source_target_pairs must be pairs");
    }
    attrs.source_target_pairs.emplace_back(row[0], row[1]);
  }
  return conversion.Emit(HloOpcode::kCollectivePermute, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertCollectiveBroadcast(OpConversion& conversion) {
  CollectiveBroadcastAttrs attrs;
  TF_RETURN_IF_ERROR(ReadGroups(conversion, attrs));
  return conversion.Emit(HloOpcode::kCollectiveBroadcast, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertPartitionId(OpConversion& conversion) {
  return conversion.Emit(HloOpcode::kPartitionId, {});
}

absl::Status ConvertReplicaId(OpConversion& conversion) {
  return conversion.Emit(HloOpcode::kReplicaId, {});
}

// The collectives inside an async_start run where it is.
absl::Status ConvertAsyncStart(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  const Block* body = conversion.op().Body();
  if (body == nullptr || static_cast<int64_t>(body->arguments.size()) !=
                             conversion.operand_count()) {
    return conversion.Error("needs a body with an argument for each operand");
  }
  for (size_t i = 0; i < body->arguments.size(); ++i) {
    conversion.module().set_value(body->arguments[i], conversion.operand(i));
  }
  TF_ASSIGN_OR_RETURN(
      const Instructions results,
      conversion.module().ConvertBlock(*body, conversion.computation()));
  conversion.SetResults(conversion.computation().AddInstruction(
      HloInstruction::CreateTuple(results)));
  return absl::OkStatus();
}

absl::Status ConvertAsyncDone(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  HloInstruction* future = conversion.operand(0);
  if (!future->shape().IsTuple() ||
      future->shape().tuple_shapes_size() != conversion.result_count()) {
    return conversion.Error("its operand has another number of values");
  }
  std::vector<HloInstruction*> results;
  for (int64_t i = 0; i < conversion.result_count(); ++i) {
    results.push_back(conversion.computation().AddInstruction(
        HloInstruction::CreateGetTupleElement(future, i)));
  }
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

constexpr Rule kCollectivesRules[] = {
    {"stablehlo.all_gather", ConvertAllGather},
    {"stablehlo.all_reduce", ConvertAllReduce},
    {"stablehlo.all_to_all", ConvertAllToAll},
    {"stablehlo.async_done", ConvertAsyncDone},
    {"stablehlo.async_start", ConvertAsyncStart},
    {"stablehlo.collective_broadcast", ConvertCollectiveBroadcast},
    {"stablehlo.collective_permute", ConvertCollectivePermute},
    {"stablehlo.partition_id", ConvertPartitionId},
    {"stablehlo.reduce_scatter", ConvertReduceScatter},
    {"stablehlo.replica_id", ConvertReplicaId},
};

}  // namespace

absl::Span<const Rule> CollectiveRules() { return kCollectivesRules; }

}  // namespace xla::stablehlo
