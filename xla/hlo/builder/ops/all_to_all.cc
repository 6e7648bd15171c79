// The forms of all-to-all.
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/collective_attrs.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/ops/collectives.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/ops/slicing.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::BuilderOf;
using builder_internal::Emit;

// The most parts of the tuple form: bounds the ops that it adds, since the
// count may be anything for empty arrays.
constexpr int64_t kMaxParts = 1 << 16;

// Sizes that are values are of type s32.
constexpr int64_t kMaxSizeAtRunTime = std::numeric_limits<int32_t>::max();

AllToAllAttrs MakeAttrs(absl::Span<const ReplicaGroup> replica_groups,
                        const std::optional<ChannelHandle>& channel_id) {
  AllToAllAttrs attrs;
  attrs.channel_id = builder_internal::ChannelId(channel_id);
  attrs.replica_groups = builder_internal::Groups(replica_groups);
  return attrs;
}

absl::Status CheckSplit(const Shape& shape, int64_t split_dimension,
                        int64_t concat_dimension, int64_t split_count) {
  // all_to_all_of_c1: both dimensions are those of an array, and the count
  // divides the size of the first.
  auto in_range = [&](int64_t d) {
    return shape.IsArray() && d >= 0 && d < shape.rank();
  };
  // all_to_all_of_c3: sizes are known, or have no bound either; the words are
  // those of XLA.
  if (shape.IsArray() && shape.is_bounded_dynamic()) {
    return RuleError(
        "all_to_all_of_c3",
        absl::StrCat("AllToAll does not support bounded dynamic shapes, got ",
                     ShapeUtil::HumanString(shape)));
  }
  if (in_range(split_dimension) && in_range(concat_dimension) &&
      split_count > 0 &&
      (shape.is_unbounded_dynamic_dimension(split_dimension) ||
       shape.dimensions(split_dimension) % split_count == 0)) {
    return absl::OkStatus();
  }
  return RuleError(
      "all_to_all_of_c1",
      absl::StrCat("cannot split dimension ", split_dimension, " of ",
                   ShapeUtil::HumanString(shape), " in ", split_count,
                   " parts and join them along ", concat_dimension));
}

// Moves the parts of the split dimension to where they are joined: [.., k a,
// .., b, ..] -> [.., a, .., k b, ..].
absl::StatusOr<XlaOp> MoveParts(XlaOp exchanged, const Shape& shape,
                                int64_t split_dimension,
                                int64_t concat_dimension, int64_t split_count) {
  std::vector<int64_t> split, order, joined;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    int64_t size = shape.dimensions(i);
    if (i == split_dimension) {
      split.push_back(split_count);
      size /= split_count;
    }
    split.push_back(size);
    if (i == concat_dimension) {
      order.push_back(split_dimension);
      // This does not overflow: the array has as many elements as before.
      const std::optional<int64_t> all = CheckedMultiply(size, split_count);
      TF_RET_CHECK(all.has_value());
      size = *all;
    }
    order.push_back(i >= split_dimension ? i + 1 : i);
    joined.push_back(size);
  }
  return Reshape(Transpose(Reshape(exchanged, split), order), joined);
}

// The same where sizes are not known. Reshapes take them as values.
absl::StatusOr<XlaOp> MovePartsAtRunTime(XlaBuilder& b, XlaOp exchanged,
                                         const Shape& shape,
                                         int64_t split_dimension,
                                         int64_t concat_dimension,
                                         int64_t split_count) {
  // all_to_all_of_c5: beside sizes that are not known, all fit s32.
  const auto too_many = [&] {
    return RuleError(
        "all_to_all_of_c5",
        absl::StrCat(split_count, " parts of ", ShapeUtil::HumanString(shape),
                     " are too many"));
  };
  if (split_count > kMaxSizeAtRunTime) return too_many();
  Shape split(shape.element_type()), joined(shape.element_type());
  std::vector<XlaOp> split_sizes, joined_sizes;
  std::vector<int64_t> order;
  // The builder's sharding is that of the result.
  std::optional<XlaScopedShardingAssignment> none;
  none.emplace(&b, std::nullopt);
  const XlaOp count = ConstantR0<int32_t>(&b, split_count);
  for (int64_t i = 0; i < shape.rank(); ++i) {
    const bool is_known = !shape.is_unbounded_dynamic_dimension(i);
    int64_t size = shape.dimensions(i);
    XlaOp value = GetDimensionSize(exchanged, i);
    if (i == split_dimension) {
      split.add_dimensions(split_count);
      split_sizes.push_back(count);
      if (is_known) size /= split_count;
      value = Div(value, count);
    }
    split.add_dimensions(size);
    split_sizes.push_back(value);
    if (i == concat_dimension) {
      order.push_back(split_dimension);
      if (is_known) {
        const std::optional<int64_t> all = CheckedMultiply(size, split_count);
        if (!all.has_value() || *all > kMaxSizeAtRunTime) return too_many();
        size = *all;
      }
      value = Mul(value, count);
    }
    order.push_back(i >= split_dimension ? i + 1 : i);
    joined.add_dimensions(size);
    joined_sizes.push_back(value);
  }
  LayoutUtil::SetToDefaultLayout(&split);
  LayoutUtil::SetToDefaultLayout(&joined);
  const XlaOp parts = Transpose(
      MhloDynamicReshape(exchanged,
                         builder_internal::SizeVector(b, split_sizes), split),
      order);
  const XlaOp sizes = builder_internal::SizeVector(b, joined_sizes);
  none.reset();
  return MhloDynamicReshape(parts, sizes, joined);
}

}  // namespace

XlaOp AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
               int64_t split_count,
               absl::Span<const ReplicaGroup> replica_groups,
               const std::optional<Layout>& layout,
               const std::optional<ChannelHandle>& channel_id) {
  // The array form does not let the caller choose the layout of the parts.
  if (layout.has_value()) {
    return AllToAllTuple(operand, split_dimension, concat_dimension,
                         split_count, replica_groups, layout, channel_id);
  }
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape shape, b.GetShape(operand));
        TF_RETURN_IF_ERROR(
            CheckSplit(shape, split_dimension, concat_dimension, split_count));
        AllToAllAttrs attrs = MakeAttrs(replica_groups, channel_id);
        attrs.dimensions = {split_dimension};
        TF_ASSIGN_OR_RETURN(
            XlaOp exchanged,
            b.AddOp(HloOpcode::kAllToAll, {operand}, std::move(attrs)));
        if (split_dimension == concat_dimension) return exchanged;
        if (shape.is_unbounded_dynamic()) {
          return MovePartsAtRunTime(b, exchanged, shape, split_dimension,
                                    concat_dimension, split_count);
        }
        return MoveParts(exchanged, shape, split_dimension, concat_dimension,
                         split_count);
      });
}

XlaOp AllToAllTuple(absl::Span<const XlaOp> operands,
                    absl::Span<const ReplicaGroup> replica_groups,
                    const std::optional<Layout>& layout,
                    const std::optional<ChannelHandle>& channel_id) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    AllToAllAttrs attrs = MakeAttrs(replica_groups, channel_id);
    attrs.constrain_layout = layout.has_value();
    TF_ASSIGN_OR_RETURN(XlaOp result, b.AddOp(HloOpcode::kAllToAll, operands,
                                              std::move(attrs)));
    if (!layout.has_value()) return result;
    TF_ASSIGN_OR_RETURN(HloInstruction * instruction, b.LookUp(result));
    for (Shape& part : *instruction->mutable_shape()->mutable_tuple_shapes()) {
      TF_RETURN_IF_ERROR(builder_internal::SetLayout(*layout, &part));
    }
    return result;
  });
}

XlaOp AllToAllTuple(XlaOp operand, int64_t split_dimension,
                    int64_t concat_dimension, int64_t split_count,
                    absl::Span<const ReplicaGroup> replica_groups,
                    const std::optional<Layout>& layout,
                    const std::optional<ChannelHandle>& channel_id) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape shape, b.GetShape(operand));
        TF_RETURN_IF_ERROR(
            CheckSplit(shape, split_dimension, concat_dimension, split_count));
        // all_to_all_of_c4: the tuple form needs sizes; the words are XLA's.
        if (shape.is_unbounded_dynamic()) {
          return RuleError("all_to_all_of_c4",
                           absl::StrCat("AllToAllTuple does not support "
                                        "unbounded dynamic shapes, got ",
                                        ShapeUtil::HumanString(shape)));
        }
        const int64_t size = shape.dimensions(split_dimension) / split_count;
        std::vector<XlaOp> parts;
        // all_to_all_of_c2: the tuple form has no more parts than can be
        // listed.
        if (split_count > kMaxParts) {
          return RuleError("all_to_all_of_c2",
                           absl::StrCat("cannot make a tuple of ", split_count,
                                        " parts, at most ", kMaxParts));
        }
        for (int64_t i = 0; i < split_count; ++i) {
          parts.push_back(SliceInDim(operand, i * size, (i + 1) * size, 1,
                                     split_dimension));
        }
        XlaOp exchanged =
            AllToAllTuple(parts, replica_groups, layout, channel_id);
        std::vector<XlaOp> received;
        for (size_t i = 0; i < parts.size(); ++i) {
          received.push_back(GetTupleElement(exchanged, i));
        }
        return ConcatInDim(&b, received, concat_dimension);
      });
}

XlaOp RaggedAllToAll(XlaOp input, XlaOp input_offsets, XlaOp send_sizes,
                     XlaOp output, XlaOp output_offsets, XlaOp recv_sizes,
                     absl::Span<const ReplicaGroup> replica_groups,
                     const std::optional<ChannelHandle>& channel_id) {
  return builder_internal::EmitOp(
      HloOpcode::kRaggedAllToAll,
      {input, output, input_offsets, send_sizes, output_offsets, recv_sizes},
      RaggedAllToAllAttrs{builder_internal::ChannelId(channel_id),
                          builder_internal::Groups(replica_groups)});
}

}  // namespace xla
