// Collective-broadcast, from the first device of each group or from one that is
// known when the program runs.
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/collective_attrs.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/ops/collectives.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/ops/slicing.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

using builder_internal::BuilderOf;
using builder_internal::ChannelId;
using builder_internal::Done;
using builder_internal::Emit;
using builder_internal::Groups;

namespace {

using ReplicaGroupSpan = absl::Span<const ReplicaGroup>;

absl::Status CheckRoots(const Shape& roots, int64_t operands) {
  // collective_broadcast_of_c1: roots are s32[n], for n > 0 operands.
  if (!roots.IsArray() || roots.element_type() != S32 || roots.rank() != 1) {
    return RuleError("collective_broadcast_of_c1",
                     absl::StrCat("roots must be a 1-D array of S32, got ",
                                  ShapeUtil::HumanString(roots)));
  }
  if (operands == 0 || roots.dimensions(0) != operands) {
    return RuleError(
        "collective_broadcast_of_c1",
        absl::StrCat("roots must have the same number of elements "
                     "as the number of non-root operands, ",
                     operands, ", got ", ShapeUtil::HumanString(roots)));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> GroupSizeOf(ReplicaGroupSpan replica_groups) {
  // collective_broadcast_of_c2: groups are listed, and have one size.
  const int size =
      replica_groups.empty() ? 0 : replica_groups[0].replica_ids_size();
  if (size == 0 || !absl::c_all_of(replica_groups, [&](const auto& group) {
        return group.replica_ids_size() == size;
      })) {
    return RuleError("collective_broadcast_of_c2",
                     "with a dynamic root, groups must be listed and have one "
                     "size");
  }
  return size;
}

// Each device sends its operand to all of its group, and takes the root's.
absl::StatusOr<XlaOp> FromRoot(XlaBuilder& b, XlaOp operand, XlaOp root,
                               int64_t group_size,
                               ReplicaGroupSpan replica_groups,
                               const std::optional<ChannelHandle>& channel_id) {
  TF_ASSIGN_OR_RETURN(const Shape shape, b.GetShape(operand));
  TF_RETURN_IF_ERROR(
      CheckArray("collective_broadcast_c1", shape, "each operand"));
  if (shape.is_dynamic()) {
    return absl::UnimplementedError(absl::StrCat("collective-broadcast of ",
                                                 ShapeUtil::HumanString(shape),
                                                 " with a dynamic root"));
  }
  const XlaOp received =
      AllToAll(Broadcast(operand, {group_size}), /*split_dimension=*/0,
               /*concat_dimension=*/0, group_size, replica_groups,
               /*layout=*/std::nullopt, channel_id);
  std::vector<XlaOp> starts(shape.rank() + 1, ConstantR0<int32_t>(&b, 0));
  starts[0] = root;
  std::vector<int64_t> sizes(shape.dimensions().begin(),
                             shape.dimensions().end());
  sizes.insert(sizes.begin(), 1);
  return Done(
      b, Reshape(DynamicSlice(received, starts, sizes), shape.dimensions()));
}

absl::StatusOr<XlaOp> FromRoots(
    XlaBuilder& b, absl::Span<const XlaOp> operands, XlaOp roots,
    ReplicaGroupSpan replica_groups,
    const std::optional<ChannelHandle>& channel_id) {
  TF_ASSIGN_OR_RETURN(const Shape* roots_shape, b.GetShapePtr(roots));
  TF_RETURN_IF_ERROR(CheckRoots(*roots_shape, operands.size()));
  TF_ASSIGN_OR_RETURN(const int64_t group_size, GroupSizeOf(replica_groups));
  std::vector<XlaOp> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i);
    const XlaOp root = Reshape(Slice(roots, {at}, {at + 1}, {1}), {});
    TF_ASSIGN_OR_RETURN(
        results.emplace_back(),
        FromRoot(b, operands[i], root, group_size, replica_groups, channel_id));
  }
  return results.size() == 1 ? results[0] : Tuple(&b, results);
}

}  // namespace

XlaOp CollectiveBroadcast(XlaOp operand, ReplicaGroupSpan replica_groups,
                          const std::optional<ChannelHandle>& channel_id) {
  return CollectiveBroadcast(absl::Span<const XlaOp>(&operand, 1),
                             replica_groups, channel_id);
}

XlaOp CollectiveBroadcast(absl::Span<const XlaOp> operands,
                          ReplicaGroupSpan replica_groups,
                          const std::optional<ChannelHandle>& channel_id,
                          bool has_dynamic_root) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    if (has_dynamic_root) {
      return FromRoots(b, operands.first(operands.size() - 1), operands.back(),
                       replica_groups, channel_id);
    }
    return b.AddOp(HloOpcode::kCollectiveBroadcast, operands,
                   CollectiveBroadcastAttrs{ChannelId(channel_id),
                                            Groups(replica_groups)});
  });
}

}  // namespace xla
