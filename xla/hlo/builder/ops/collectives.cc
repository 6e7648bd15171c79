// Collectives that reduce, gather and permute. all_to_all.cc has all-to-all,
// collective_broadcast.cc collective-broadcast.
#include "xla/hlo/builder/ops/collectives.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/collective_attrs.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

using builder_internal::BuilderOf;
using builder_internal::ChannelId;
using builder_internal::Emit;
using builder_internal::GatheredShape;
using builder_internal::Groups;

namespace {

absl::StatusOr<XlaComputationId> SumComputation(XlaBuilder& b,
                                                PrimitiveType type) {
  std::unique_ptr<XlaBuilder> sub = b.CreateSubBuilder("sum");
  const Shape scalar(type);
  XlaOp x = Parameter(sub.get(), 0, scalar, "x");
  XlaOp y = Parameter(sub.get(), 1, scalar, "y");
  return sub->BuildSubComputation(type == PRED ? Or(x, y) : Add(x, y));
}

// Returns the shape of each part of `operand` along `dimension`.
absl::StatusOr<Shape> ScatteredShape(const XlaBuilder& b, XlaOp operand,
                                     int64_t dimension, int64_t shard_count,
                                     const std::optional<Layout>& layout) {
  TF_ASSIGN_OR_RETURN(Shape shape, b.GetShape(operand));
  // reduce_scatter_of_c1: the dimension is one of the array, and the count
  // divides its size.
  if (!shape.IsArray() || dimension < 0 || dimension >= shape.rank() ||
      shard_count <= 0 ||
      (!shape.is_unbounded_dynamic_dimension(dimension) &&
       shape.dimensions(dimension) % shard_count != 0)) {
    return RuleError("reduce_scatter_of_c1",
                     absl::StrCat("cannot scatter dimension ", dimension,
                                  " of ", ShapeUtil::HumanString(shape), " to ",
                                  shard_count, " shards"));
  }
  if (!shape.is_unbounded_dynamic_dimension(dimension)) {
    shape.set_dimensions(dimension, shape.dimensions(dimension) / shard_count);
  }
  LayoutUtil::SetToDefaultLayout(&shape);
  if (layout.has_value()) {
    TF_RETURN_IF_ERROR(builder_internal::SetLayout(*layout, &shape));
  }
  return shape;
}

}  // namespace

XlaOp CrossReplicaSum(XlaOp operand,
                      absl::Span<const ReplicaGroup> replica_groups) {
  return Emit(BuilderOf({operand}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
                const Shape* element = shape;
                if (shape->IsTuple() && shape->tuple_shapes_size() > 0) {
                  element = &shape->tuple_shapes(0);
                }
                TF_RETURN_IF_ERROR(
                    CheckArray("all_reduce_c1", *element, "the operand"));
                TF_ASSIGN_OR_RETURN(XlaComputationId sum,
                                    SumComputation(b, element->element_type()));
                return AllReduce(operand, sum, replica_groups);
              });
}

XlaOp AllGather(XlaOp operand, int64_t all_gather_dimension,
                int64_t shard_count,
                absl::Span<const ReplicaGroup> replica_groups,
                const std::optional<ChannelHandle>& channel_id,
                const std::optional<Layout>& layout,
                std::optional<bool> use_global_device_ids) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> operands,
                            builder_internal::Expanded(b, operand));
        // all_gather_of_c1: there is something to gather.
        if (operands.empty()) {
          return RuleError("all_gather_of_c1", "cannot gather an empty tuple");
        }
        return AllGatherTuple(operands, all_gather_dimension, shard_count,
                              replica_groups, channel_id, layout,
                              use_global_device_ids);
      });
}

XlaOp AllGatherTuple(absl::Span<const XlaOp> operands,
                     int64_t all_gather_dimension, int64_t shard_count,
                     absl::Span<const ReplicaGroup> replica_groups,
                     const std::optional<ChannelHandle>& channel_id,
                     const std::optional<Layout>& layout,
                     std::optional<bool> use_global_device_ids) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    std::vector<Shape> shapes;
    for (const XlaOp& operand : operands) {
      TF_ASSIGN_OR_RETURN(
          shapes.emplace_back(),
          GatheredShape(b, operand, all_gather_dimension, shard_count, layout));
    }
    const Shape result = ShapeUtil::MakeMaybeTupleShape(shapes);
    return b.AddOp(HloOpcode::kAllGather, operands,
                   builder_internal::MakeAllGatherAttrs(
                       all_gather_dimension, replica_groups, channel_id,
                       layout.has_value(), use_global_device_ids),
                   {}, &result);
  });
}

XlaOp AllReduce(XlaOp operand, const CalledComputation& computation,
                absl::Span<const ReplicaGroup> replica_groups,
                const std::optional<ChannelHandle>& channel_id,
                const std::optional<Shape>& shape_with_layout,
                std::optional<bool> use_global_device_ids) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        const bool is_tuple = shape->IsTuple();
        std::optional<Shape> layouts = shape_with_layout;
        TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> operands,
                            builder_internal::Expanded(b, operand));
        const bool repack = is_tuple && operands.size() == 1;
        if (repack && layouts.has_value() && layouts->IsTuple() &&
            layouts->tuple_shapes_size() == 1) {
          layouts = Shape(layouts->tuple_shapes(0));
        }
        TF_ASSIGN_OR_RETURN(
            XlaOp result,
            builder_internal::AddAllReduce(
                b, HloOpcode::kAllReduce, operands, computation, replica_groups,
                channel_id, layouts, use_global_device_ids));
        return repack ? Tuple(&b, {result}) : result;
      });
}

XlaOp AllReduceTuple(absl::Span<const XlaOp> operands,
                     const CalledComputation& computation,
                     absl::Span<const ReplicaGroup> replica_groups,
                     const std::optional<ChannelHandle>& channel_id,
                     const std::optional<Shape>& shape_with_layout,
                     std::optional<bool> use_global_device_ids) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) {
    return builder_internal::AddAllReduce(
        b, HloOpcode::kAllReduce, operands, computation, replica_groups,
        channel_id, shape_with_layout, use_global_device_ids);
  });
}

XlaOp ReduceScatter(XlaOp operand, const CalledComputation& computation,
                    int64_t scatter_dimension, int64_t shard_count,
                    absl::Span<const ReplicaGroup> replica_groups,
                    const std::optional<ChannelHandle>& channel_id,
                    const std::optional<Layout>& layout,
                    std::optional<bool> use_global_device_ids) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> operands,
                            builder_internal::Expanded(b, operand));
        std::vector<Shape> shapes;
        for (const XlaOp& part : operands) {
          TF_ASSIGN_OR_RETURN(
              shapes.emplace_back(),
              ScatteredShape(b, part, scatter_dimension, shard_count, layout));
        }
        const Shape shape = ShapeUtil::MakeMaybeTupleShape(shapes);
        ReduceScatterAttrs attrs;
        attrs.channel_id = ChannelId(channel_id);
        attrs.replica_groups = Groups(replica_groups);
        attrs.constrain_layout = layout.has_value();
        attrs.use_global_device_ids = use_global_device_ids.value_or(false);
        attrs.dimensions = {scatter_dimension};
        return b.AddOp(HloOpcode::kReduceScatter, operands, std::move(attrs),
                       {computation}, &shape);
      });
}

XlaOp CollectivePermute(
    XlaOp operand,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id, bool inplace) {
  return MultiCollectivePermute(absl::Span<const XlaOp>(&operand, 1),
                                source_target_pairs, channel_id, inplace);
}

XlaOp MultiCollectivePermute(
    absl::Span<const XlaOp> operands,
    const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
    const std::optional<ChannelHandle>& channel_id, bool inplace) {
  return Emit(builder_internal::BuilderOf(operands),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(
                    CollectivePermuteAttrs attrs,
                    builder_internal::MakePermuteAttrs(
                        b, operands, source_target_pairs, channel_id, inplace));
                return b.AddOp(HloOpcode::kCollectivePermute, operands,
                               std::move(attrs));
              });
}

XlaOp ReplicaId(XlaBuilder* builder) {
  return Emit(builder,
              [](XlaBuilder& b) { return b.AddOp(HloOpcode::kReplicaId, {}); });
}

}  // namespace xla
