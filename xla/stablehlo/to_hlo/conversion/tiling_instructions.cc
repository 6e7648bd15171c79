// Cuts parts from a whole array, and joins them.
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/stablehlo/to_hlo/conversion/tiling.h"

namespace xla::stablehlo {
namespace {

HloInstruction* AddOp(HloComputation& computation, HloOpcode opcode,
                      Shape shape,
                      absl::Span<HloInstruction* const> operands = {},
                      Attrs attrs = {}) {
  return computation.AddInstruction(HloInstruction::Create(
      opcode, std::move(shape), operands, std::move(attrs)));
}

// Returns s32[]: the entry of `table` for the running partition.
HloInstruction* LookUp(const std::vector<int32_t>& table, HloInstruction* id,
                       HloComputation& computation) {
  HloInstruction* all = computation.AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::CreateR1<int32_t>(table)));
  HloInstruction* one = AddOp(computation, HloOpcode::kDynamicSlice,
                              ShapeUtil::MakeShape(S32, {1}), {all, id},
                              DynamicSliceAttrs{.dynamic_slice_sizes = {1}});
  return AddOp(computation, HloOpcode::kReshape, ShapeUtil::MakeShape(S32, {}),
               {one});
}

// Returns, for a dimension, the groups of partitions whose parts along it make
// the whole, in order, one group for each combination of the other dimensions'
// parts.
ReplicaGroups GroupsAlong(const Tiling& tiling, size_t dimension) {
  std::map<std::vector<int64_t>, int64_t> copies;
  std::map<std::pair<std::vector<int64_t>, int64_t>, std::vector<int64_t>>
      groups;
  for (size_t p = 0; p < tiling.parts.size(); ++p) {
    const int64_t copy = copies[tiling.parts[p]]++;
    std::vector<int64_t> others = tiling.parts[p];
    others[dimension] = 0;
    std::vector<int64_t>& group = groups[{others, copy}];
    group.resize(tiling.counts[dimension]);
    group[tiling.parts[p][dimension]] = p;
  }
  ReplicaGroups result;
  for (auto& [key, group] : groups) result.groups.push_back(std::move(group));
  return result;
}

// Returns a channel that no op of the module uses: programs count theirs from
// 1.
int64_t FreshChannel(HloModule& module) {
  // Far above the channels of programs.
  constexpr int64_t kFirst = int64_t{1} << 40;
  return kFirst + module.NewUniqueId();
}

// Checks that the tiling is for arrays of that rank.
absl::Status CheckRank(const Shape& shape, const Tiling& tiling) {
  if (tiling.IsReplicated() ||
      (shape.IsArray() && shape.rank() == std::ssize(tiling.counts))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a sharding of ", tiling.counts.size(), " dimensions for ",
                   shape.ToString()));
}

}  // namespace

absl::StatusOr<Shape> PartShape(const Shape& whole, const Tiling& tiling) {
  TF_RETURN_IF_ERROR(CheckRank(whole, tiling));
  Shape part = whole;
  for (size_t d = 0; d < tiling.counts.size(); ++d) {
    const int64_t count = tiling.counts[d];
    if (count == 1) continue;
    if (whole.dimensions(d) % count != 0) {
      return absl::UnimplementedError(
          absl::StrCat("dimension ", d, " of ", whole.ToString(),
                       " does not divide into ", count, " equal parts"));
    }
    part.set_dimensions(d, whole.dimensions(d) / count);
  }
  return part;
}

absl::StatusOr<HloInstruction*> TakePart(HloInstruction* whole,
                                         const Tiling& tiling,
                                         HloComputation& computation) {
  if (tiling.IsReplicated()) return whole;
  TF_ASSIGN_OR_RETURN(Shape part, PartShape(whole->shape(), tiling));
  HloInstruction* id = AddOp(computation, HloOpcode::kPartitionId,
                             ShapeUtil::MakeShape(U32, {}));
  std::vector<HloInstruction*> operands = {whole};
  for (size_t d = 0; d < tiling.counts.size(); ++d) {
    std::vector<int32_t> starts;
    for (const std::vector<int64_t>& held : tiling.parts) {
      starts.push_back(held[d] * part.dimensions(d));
    }
    operands.push_back(LookUp(starts, id, computation));
  }
  DynamicSliceAttrs attrs;
  attrs.dynamic_slice_sizes.assign(part.dimensions().begin(),
                                   part.dimensions().end());
  return AddOp(computation, HloOpcode::kDynamicSlice, std::move(part), operands,
               std::move(attrs));
}

absl::StatusOr<HloInstruction*> GatherParts(HloInstruction* part,
                                            const Tiling& tiling,
                                            HloComputation& computation) {
  TF_RETURN_IF_ERROR(CheckRank(part->shape(), tiling));
  for (size_t d = 0; d < tiling.counts.size(); ++d) {
    if (tiling.counts[d] == 1) continue;
    AllGatherAttrs attrs;
    attrs.channel_id = FreshChannel(*computation.parent());
    attrs.replica_groups = GroupsAlong(tiling, d);
    attrs.dimensions = {static_cast<int64_t>(d)};
    attrs.use_global_device_ids = true;
    Shape gathered = part->shape();
    TF_ASSIGN_OR_RETURN(
        const int64_t size,
        MultiplyOrError(gathered.dimensions(d), tiling.counts[d],
                        "the size of a sharded dimension"));
    gathered.set_dimensions(d, size);
    TF_ASSIGN_OR_RETURN(
        part, computation.Add(HloOpcode::kAllGather, {part}, std::move(attrs),
                              /*computations=*/{}, &gathered));
  }
  return part;
}

}  // namespace xla::stablehlo
