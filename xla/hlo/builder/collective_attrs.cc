// Attributes, shapes and layouts of collectives.
#include "xla/hlo/builder/collective_attrs.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace builder_internal {

ReplicaGroups Groups(absl::Span<const ReplicaGroup> replica_groups) {
  return ReplicaGroups(CollectiveDeviceList(replica_groups).Clone());
}

std::optional<int64_t> ChannelId(
    const std::optional<ChannelHandle>& channel_id) {
  if (!channel_id.has_value()) return std::nullopt;
  return channel_id->handle();
}

absl::StatusOr<std::vector<XlaOp>> Expanded(XlaBuilder& b, XlaOp operand) {
  TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
  if (!shape->IsTuple()) return std::vector<XlaOp>{operand};
  const int count = shape->tuple_shapes_size();
  std::vector<XlaOp> elements;
  for (int i = 0; i < count; ++i) {
    elements.push_back(GetTupleElement(operand, i));
  }
  return elements;
}

absl::Status SetLayout(const Layout& layout, Shape* shape) {
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutForShape(layout, *shape));
  *shape->mutable_layout() = layout;
  return absl::OkStatus();
}

absl::StatusOr<Shape> GatheredShape(const XlaBuilder& b, XlaOp operand,
                                    int64_t dimension, int64_t shard_count,
                                    const std::optional<Layout>& layout) {
  TF_ASSIGN_OR_RETURN(Shape shape, b.GetShape(operand));
  // all_gather_of_c1: the dimension is one of the array, the count positive,
  // and the gathered size fits.
  const bool in_range =
      shape.IsArray() && dimension >= 0 && dimension < shape.rank();
  std::optional<int64_t> size;
  if (in_range && shard_count > 0) {
    size = shape.is_unbounded_dynamic_dimension(dimension)
               ? Shape::kUnboundedSize
               : CheckedMultiply(shape.dimensions(dimension), shard_count);
  }
  if (!size.has_value()) {
    return RuleError(
        "all_gather_of_c1",
        absl::StrCat("cannot gather dimension ", dimension, " of ", shard_count,
                     " shards of ", ShapeUtil::HumanString(shape)));
  }
  shape.set_dimensions(dimension, *size);
  LayoutUtil::SetToDefaultLayout(&shape);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShape(shape));
  if (layout.has_value()) TF_RETURN_IF_ERROR(SetLayout(*layout, &shape));
  return shape;
}

AllGatherAttrs MakeAllGatherAttrs(
    int64_t dimension, absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id, bool constrain_layout,
    std::optional<bool> use_global_device_ids) {
  AllGatherAttrs attrs;
  attrs.channel_id = ChannelId(channel_id);
  attrs.replica_groups = Groups(replica_groups);
  attrs.constrain_layout = constrain_layout;
  attrs.dimensions = {dimension};
  attrs.use_global_device_ids = use_global_device_ids.value_or(false);
  return attrs;
}

absl::StatusOr<CollectivePermuteAttrs> MakePermuteAttrs(
    const XlaBuilder& b, absl::Span<const XlaOp> operands,
    const SourceTargetPairs& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id, bool inplace) {
  CollectivePermuteAttrs attrs{ChannelId(channel_id), source_target_pairs, {}};
  if (!inplace) return attrs;
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                      b.GetOperandShapes(operands));
  if (!shapes.empty()) {
    ShapeUtil::ForEachLeafShape(
        shapes[0], [&](const Shape& part, const ShapeIndex&) {
          auto& sizes = attrs.slice_sizes.emplace_back();
          if (!part.IsArray()) return;
          sizes.assign(part.dimensions().begin(), part.dimensions().end());
        });
  }
  // Sizes are what tells this form from the other.
  if (attrs.slice_sizes.empty()) attrs.slice_sizes.emplace_back();
  return attrs;
}

absl::StatusOr<XlaOp> AddAllReduce(
    XlaBuilder& b, HloOpcode opcode, absl::Span<const XlaOp> operands,
    const CalledComputation& computation,
    absl::Span<const ReplicaGroup> replica_groups,
    const std::optional<ChannelHandle>& channel_id,
    const std::optional<Shape>& shape_with_layout,
    std::optional<bool> use_global_device_ids) {
  AllReduceAttrs attrs;
  attrs.channel_id = ChannelId(channel_id);
  attrs.replica_groups = Groups(replica_groups);
  attrs.constrain_layout = shape_with_layout.has_value();
  attrs.use_global_device_ids = use_global_device_ids.value_or(false);
  TF_ASSIGN_OR_RETURN(
      XlaOp result, b.AddOp(opcode, operands, std::move(attrs), {computation}));
  if (!shape_with_layout.has_value()) return result;
  TF_ASSIGN_OR_RETURN(HloInstruction * instruction, b.LookUp(result));
  TF_RETURN_IF_ERROR(
      ShapeUtil::ValidateShapeWithOptionalLayout(*shape_with_layout));
  // all_reduce_layout_c1: the shape given is that of the result, with a layout.
  if (!LayoutUtil::HasLayout(*shape_with_layout) ||
      !ShapeUtil::Compatible(*shape_with_layout, instruction->shape())) {
    return RuleError(
        "all_reduce_layout_c1",
        absl::StrCat("the shape must be ",
                     ShapeUtil::HumanString(instruction->shape()),
                     " with a layout, got ",
                     ShapeUtil::HumanStringWithLayout(*shape_with_layout)));
  }
  *instruction->mutable_shape() = *shape_with_layout;
  return result;
}

}  // namespace builder_internal

}  // namespace xla
