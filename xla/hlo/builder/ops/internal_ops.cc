// Ops that compilers make.
#include "xla/hlo/builder/ops/internal_ops.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/collective_attrs.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/random.h"

namespace xla {
namespace internal {
namespace {

using builder_internal::ChannelId;
using builder_internal::Emit;

// Adds an op whose shape must be `shape`, with that shape's layout.
XlaOp EmitWithShape(XlaBuilder* builder, HloOpcode opcode,
                    absl::Span<const XlaOp> operands, const Shape& shape,
                    Attrs attrs = {},
                    absl::Span<const CalledComputation> computations = {}) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(shape));
    TF_ASSIGN_OR_RETURN(XlaOp op, b.AddOp(opcode, operands, std::move(attrs),
                                          computations, &shape));
    TF_ASSIGN_OR_RETURN(const HloInstruction* instruction, b.LookUp(op));
    // internal_op_c1: the shape given is that of the op.
    if (!ShapeUtil::Compatible(instruction->shape(), shape)) {
      return RuleError(
          "internal_op_c1",
          absl::StrCat(HloOpcodeString(opcode), " has shape ",
                       ShapeUtil::HumanString(instruction->shape()), ", not ",
                       ShapeUtil::HumanString(shape)));
    }
    return op;
  });
}

absl::StatusOr<FusionKind> ParseFusionKind(absl::string_view name) {
  if (name == "kLoop") return FusionKind::kLoop;
  if (name == "kInput") return FusionKind::kInput;
  if (name == "kOutput") return FusionKind::kOutput;
  if (name == "kCustom") return FusionKind::kCustom;
  // fusion_kind_c1: a kind of fusion is one of those above.
  return RuleError("fusion_kind_c1", absl::StrCat("no kind \"", name, "\""));
}

}  // namespace

XlaOp XlaBuilderFriend::BuildAddDependency(XlaBuilder* builder, XlaOp operand,
                                           XlaOp token, const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kAddDependency, {operand, token},
                       shape);
}

XlaOp XlaBuilderFriend::BuildAsyncStart(
    XlaBuilder* builder, absl::Span<const XlaOp> operands,
    std::string execution_thread, const CalledComputation& called_computation,
    const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kAsyncStart, operands, shape,
                       AsyncStartAttrs{std::move(execution_thread), {}},
                       {called_computation});
}

XlaOp XlaBuilderFriend::BuildAsyncUpdate(XlaBuilder* builder, XlaOp operand,
                                         const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kAsyncUpdate, {operand}, shape);
}

XlaOp XlaBuilderFriend::BuildAsyncDone(XlaBuilder* builder, XlaOp operand,
                                       const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kAsyncDone, {operand}, shape);
}

XlaOp XlaBuilderFriend::BuildAllGatherStart(
    XlaBuilder* builder, XlaOp operand, int64_t all_gather_dimension,
    int64_t shard_count, absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id,
    const std::optional<Layout>& layout,
    std::optional<bool> use_global_device_ids) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> operands,
                        builder_internal::Expanded(b, operand));
    TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                        b.GetOperandShapes(operands));
    std::vector<Shape> gathered;
    for (const XlaOp& part : operands) {
      TF_ASSIGN_OR_RETURN(
          gathered.emplace_back(),
          builder_internal::GatheredShape(b, part, all_gather_dimension,
                                          shard_count, layout));
    }
    const Shape result =
        ShapeUtil::MakeTupleShape({ShapeUtil::MakeMaybeTupleShape(shapes),
                                   ShapeUtil::MakeMaybeTupleShape(gathered)});
    return b.AddOp(HloOpcode::kAllGatherStart, operands,
                   builder_internal::MakeAllGatherAttrs(
                       all_gather_dimension, replica_groups, channel_id,
                       layout.has_value(), use_global_device_ids),
                   {}, &result);
  });
}

XlaOp XlaBuilderFriend::BuildAllGatherDone(XlaBuilder* builder, XlaOp operand,
                                           const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kAllGatherDone, {operand}, shape);
}

XlaOp XlaBuilderFriend::BuildAllReduceStart(
    XlaBuilder* builder, XlaOp operand, const CalledComputation& computation,
    absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id,
    const std::optional<Shape>& layout,
    std::optional<bool> use_global_device_ids) {
  return Emit(builder, [&](XlaBuilder& b) {
    return builder_internal::AddAllReduce(
        b, HloOpcode::kAllReduceStart, {operand}, computation, replica_groups,
        channel_id, layout, use_global_device_ids);
  });
}

XlaOp XlaBuilderFriend::BuildAllReduceDone(XlaBuilder* builder, XlaOp operand,
                                           const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kAllReduceDone, {operand}, shape);
}

XlaOp XlaBuilderFriend::BuildCollectivePermuteStart(
    XlaBuilder* builder, XlaOp operand,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id, bool inplace) {
  return BuildCollectivePermuteStart(builder,
                                     absl::Span<const XlaOp>(&operand, 1),
                                     source_target_pairs, channel_id, inplace);
}

XlaOp XlaBuilderFriend::BuildCollectivePermuteStart(
    XlaBuilder* builder, absl::Span<const XlaOp> operands,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id, bool inplace) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(
        CollectivePermuteAttrs attrs,
        builder_internal::MakePermuteAttrs(b, operands, source_target_pairs,
                                           channel_id, inplace));
    TF_ASSIGN_OR_RETURN(std::vector<Shape> shapes,
                        b.GetOperandShapes(operands));
    if (inplace) shapes.resize(2);
    const Shape result =
        inplace ? ShapeUtil::MakeTupleShape(shapes)
        : shapes.size() == 1
            ? ShapeUtil::MakeTupleShape({shapes[0], shapes[0]})
            : ShapeUtil::MakeTupleShape({ShapeUtil::MakeTupleShape(shapes),
                                         ShapeUtil::MakeTupleShape(shapes)});
    return b.AddOp(HloOpcode::kCollectivePermuteStart, operands,
                   std::move(attrs), {}, &result);
  });
}

XlaOp XlaBuilderFriend::BuildCollectivePermuteDone(XlaBuilder* builder,
                                                   XlaOp operand,
                                                   const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kCollectivePermuteDone, {operand},
                       shape);
}

XlaOp XlaBuilderFriend::BuildCopyStart(
    XlaBuilder* builder, XlaOp operand,
    std::optional<int> cross_program_prefetch_index) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kCopyStart, {operand},
                   CopyStartAttrs{cross_program_prefetch_index});
  });
}

XlaOp XlaBuilderFriend::BuildCopyDone(XlaBuilder* builder, XlaOp operand,
                                      const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kCopyDone, {operand}, shape);
}

XlaOp XlaBuilderFriend::BuildFusion(XlaBuilder* builder,
                                    absl::Span<const XlaOp> operands,
                                    absl::string_view fusion_kind,
                                    const CalledComputation& fused_computation,
                                    OutputOperandAliases aliases) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    FusionAttrs attrs;
    TF_ASSIGN_OR_RETURN(attrs.kind, ParseFusionKind(fusion_kind));
    for (const auto& [output, operand] : aliases) {
      attrs.output_to_operand_aliasing.push_back(
          {output, operand.first, operand.second});
    }
    TF_ASSIGN_OR_RETURN(XlaOp op,
                        b.AddOp(HloOpcode::kFusion, operands, std::move(attrs),
                                {fused_computation}));
    TF_ASSIGN_OR_RETURN(HloInstruction * fusion, b.LookUp(op));
    fusion->fused_instructions_computation()->set_is_fusion_computation(true);
    return op;
  });
}

XlaOp XlaBuilderFriend::BuildBitcast(XlaBuilder* builder, XlaOp operand,
                                     const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kBitcast, {operand}, shape);
}

XlaOp XlaBuilderFriend::BuildPartitionId(XlaBuilder* builder,
                                         const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kPartitionId, {}, shape);
}

XlaOp XlaBuilderFriend::BuildSend(XlaBuilder* builder, XlaOp operand,
                                  XlaOp token, const ChannelHandle& handle,
                                  bool is_host_transfer) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kSend, {operand, token},
                   ChannelAttrs{handle.handle(), is_host_transfer});
  });
}

XlaOp XlaBuilderFriend::BuildSendDone(XlaBuilder* builder, XlaOp operand,
                                      const ChannelHandle& handle,
                                      bool is_host_transfer) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kSendDone, {operand},
                   ChannelAttrs{handle.handle(), is_host_transfer});
  });
}

XlaOp XlaBuilderFriend::BuildRecv(XlaBuilder* builder, XlaOp token,
                                  const Shape& shape,
                                  const ChannelHandle& handle,
                                  bool is_host_transfer) {
  return EmitWithShape(builder, HloOpcode::kRecv, {token}, shape,
                       ChannelAttrs{handle.handle(), is_host_transfer});
}

XlaOp XlaBuilderFriend::BuildRecvDone(XlaBuilder* builder, XlaOp operand,
                                      const Shape& shape,
                                      const ChannelHandle& handle,
                                      bool is_host_transfer) {
  return EmitWithShape(builder, HloOpcode::kRecvDone, {operand}, shape,
                       ChannelAttrs{handle.handle(), is_host_transfer});
}

XlaOp XlaBuilderFriend::BuildDomain(XlaBuilder* builder, XlaOp operand,
                                    OpSharding entry, OpSharding exit,
                                    const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kDomain, {operand}, shape,
                       DomainAttrs{{std::move(entry), std::move(exit)}});
}

XlaOp XlaBuilderFriend::BuildRngGetAndUpdateState(XlaBuilder* builder,
                                                  int64_t delta,
                                                  const Shape& shape) {
  return EmitWithShape(builder, HloOpcode::kRngGetAndUpdateState, {}, shape,
                       RngGetAndUpdateStateAttrs{delta});
}

}  // namespace internal
}  // namespace xla
