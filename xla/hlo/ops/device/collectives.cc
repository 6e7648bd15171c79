// Shape rules of the collective ops, and what their groups mean.
#include "xla/hlo/ops/device/collectives.h"

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/device/collective_pairs.h"
#include "xla/hlo/ops/device/permuted_slices.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

enum class GroupSizes { kEqual, kAny };

// The groups name devices 0 to n-1, each once.
absl::Status CheckReplicaGroups(absl::string_view op, const ReplicaGroups& list,
                                GroupSizes sizes) {
  absl::flat_hash_set<int64_t> seen;
  int64_t greatest = -1;
  for (const std::vector<int64_t>& group : list.groups()) {
    // replica_groups_c1: no group is empty.
    if (group.empty()) {
      return RuleError("replica_groups_c1",
                       absl::StrCat(op, " has an empty replica group"));
    }
    // replica_groups_c2: where the op needs it, all groups have one size.
    if (sizes == GroupSizes::kEqual &&
        group.size() != list.groups()[0].size()) {
      return RuleError(
          "replica_groups_c2",
          absl::StrCat(op, " needs groups of one size, got ",
                       list.groups()[0].size(), " and ", group.size()));
    }
    for (int64_t id : group) {
      // replica_groups_c3: no device is negative or named twice.
      if (id < 0 || !seen.insert(id).second) {
        return RuleError(
            "replica_groups_c3",
            absl::StrCat(
                op, id < 0 ? " names negative device " : " names twice device ",
                id));
      }
      if (id > greatest) greatest = id;
    }
  }
  // replica_groups_c4: the devices are 0 to n-1 without a gap.
  if (greatest != static_cast<int64_t>(seen.size()) - 1) {
    return RuleError("replica_groups_c4",
                     absl::StrCat(op, " names device ", greatest, ", but only ",
                                  seen.size(), " devices altogether"));
  }
  return absl::OkStatus();
}

absl::Status CheckGroups(absl::string_view op, const ReplicaGroups& list,
                         GroupSizes sizes, std::optional<int64_t> channel_id,
                         bool use_global_device_ids) {
  TF_RETURN_IF_ERROR(CheckGlobalDeviceIds(channel_id, use_global_device_ids));
  // replica_groups_c6: flattened device numbers need groups.
  if (use_global_device_ids && list.groups().empty()) {
    return RuleError(
        "replica_groups_c6",
        absl::StrCat(op, " has use_global_device_ids without replica_groups"));
  }
  return CheckReplicaGroups(op, list, sizes);
}

absl::Status CheckArrays(absl::string_view rule, const InferArgs& args) {
  if (args.operands.empty()) {
    return RuleError(rule, "there must be an operand");
  }
  for (const Shape* operand : args.operands) {
    if (!operand->IsArray()) {
      return RuleError(
          rule, absl::StrCat("operands must be arrays, got ", Text(*operand)));
    }
  }
  return absl::OkStatus();
}

// The operands' shapes: the shape itself if there is one, else the tuple.
Shape OperandShapes(const InferArgs& args) {
  return args.operands.size() == 1
             ? args.operand(0)
             : ShapeUtil::MakeTupleShapeWithPtrs(args.operands);
}

// The part of `shape` that belongs to operand i.
const Shape* Part(const Shape& shape, const InferArgs& args, size_t i) {
  if (args.operands.size() == 1 && shape.IsArray()) return &shape;
  if (!shape.IsTuple() ||
      shape.tuple_shapes_size() != static_cast<int>(args.operands.size())) {
    return nullptr;
  }
  return &shape.tuple_shapes(i);
}

// Returns the number of devices of a group; 0 if the op alone does not
// determine it.
int64_t GroupSize(const ReplicaGroups& list, std::optional<int64_t> channel_id,
                  bool use_global_device_ids) {
  const bool all_partitions = channel_id.has_value() && !use_global_device_ids;
  if (list.groups().empty() || all_partitions) return 0;
  return list.groups()[0].size();
}

// `whole` and `part` are arrays that differ in dimension `d` alone, where
// whole = k part with the same k for all calls and, if known, k = group size.
bool IsMultiple(const Shape& whole, const Shape& part, int64_t d, int64_t* k) {
  if (!whole.IsArray() || !part.IsArray() ||
      whole.element_type() != part.element_type() ||
      whole.rank() != part.rank()) {
    return false;
  }
  for (int i = 0; i < whole.dimensions_size(); ++i) {
    if (i != d && !SizesFit(whole.dimensions(i), part.dimensions(i))) {
      return false;
    }
  }
  const int64_t n = part.dimensions(d);
  const int64_t all = whole.dimensions(d);
  if (n == Shape::kUnboundedSize || all == Shape::kUnboundedSize) return true;
  if (n == 0) return all == 0;
  if (all % n != 0 || (*k != 0 && *k != all / n)) return false;
  *k = all / n;
  return *k > 0;
}

std::string NotMultiple(const Shape& whole, const Shape& part, int64_t d,
                        int64_t k) {
  return absl::StrCat(Text(whole), " is not ",
                      k == 0 ? std::string("a multiple") : absl::StrCat(k),
                      " times ", Text(part), " in dimension ", d);
}

absl::Status CheckDimension(absl::string_view rule,
                            absl::Span<const int64_t> dimensions,
                            const InferArgs& args) {
  if (dimensions.size() != 1) {
    return RuleError(rule, absl::StrCat("there must be one dimension, got ",
                                        dimensions.size()));
  }
  for (const Shape* operand : args.operands) {
    if (dimensions[0] < 0 || dimensions[0] >= operand->rank()) {
      return RuleError(
          rule, absl::StrCat("there is no dimension ", dimensions[0], " in ",
                             Text(*operand)));
    }
  }
  return absl::OkStatus();
}

// XLA's builder takes arrays of sizes that are not known, too; no backend runs
// such modules.
absl::Status CheckReducer(absl::string_view rule,
                          const ProgramShape& computation) {
  const Shape& result = computation.result();
  bool good = computation.parameters_size() == 2 &&
              (ShapeUtil::IsScalar(result) ||
               (result.IsArray() && result.is_unbounded_dynamic()));
  for (const Shape& parameter : computation.parameters()) {
    good = good && ShapeUtil::Compatible(parameter, result);
  }
  if (good) return absl::OkStatus();
  return RuleError(rule, absl::StrCat("to_apply must be (T[], T[]) -> T[], "
                                      "got ",
                                      computation.ToString()));
}

absl::Status CheckAllGather(const InferArgs& args, const AllGatherAttrs& attrs,
                            const Shape& result) {
  TF_RETURN_IF_ERROR(CheckGroups("all-gather", attrs.replica_groups,
                                 GroupSizes::kEqual, attrs.channel_id,
                                 attrs.use_global_device_ids));
  // all_gather_c1: there are operands, all arrays.
  TF_RETURN_IF_ERROR(CheckArrays("all_gather_c1", args));
  // all_gather_c2: one dimension, which every operand has.
  TF_RETURN_IF_ERROR(CheckDimension("all_gather_c2", attrs.dimensions, args));
  int64_t k = GroupSize(attrs.replica_groups, attrs.channel_id,
                        attrs.use_global_device_ids);
  for (size_t i = 0; i < args.operands.size(); ++i) {
    const Shape* part = Part(result, args, i);
    // all_gather_c3: there is one result for each operand.
    if (part == nullptr) {
      return RuleError(
          "all_gather_c3",
          absl::StrCat("there are ", args.operands.size(),
                       " operands, but the result is ", Text(result)));
    }
    // all_gather_c4: results are k times the operands in the dimension.
    if (!IsMultiple(*part, args.operand(i), attrs.dimensions[0], &k)) {
      return RuleError("all_gather_c4", NotMultiple(*part, args.operand(i),
                                                    attrs.dimensions[0], k));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckGlobalDeviceIds(const std::optional<int64_t>& channel_id,
                                  bool use_global_device_ids) {
  // replica_groups_c5: flattened device numbers need a channel.
  if (!use_global_device_ids || channel_id.has_value()) return absl::OkStatus();
  return RuleError("replica_groups_c5",
                   "there is use_global_device_ids without channel_id");
}

absl::StatusOr<CollectiveOpGroupMode> GetCollectiveOpGroupMode(
    bool has_channel_id, std::optional<bool> use_global_device_ids) {
  if (!has_channel_id) {
    if (use_global_device_ids.value_or(false)) {
      return absl::InvalidArgumentError(
          "use_global_device_ids needs a channel_id");
    }
    return COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA;
  }
  if (!use_global_device_ids.has_value()) {
    return COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION;
  }
  return *use_global_device_ids
             ? COLLECTIVE_OP_GROUP_MODE_FLATTENED_ID
             : COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA_AND_PARTITION;
}

absl::StatusOr<Shape> InferAllGather(const InferArgs& args,
                                     const AllGatherAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckAllGather(args, attrs, *args.declared));
  return *args.declared;
}

absl::StatusOr<Shape> InferAllGatherStart(const InferArgs& args,
                                          const AllGatherAttrs& attrs) {
  const Shape& declared = *args.declared;
  // all_gather_start_c1: the result is (operands, results).
  if (!declared.IsTuple() || declared.tuple_shapes_size() != 2 ||
      !ShapeUtil::Compatible(declared.tuple_shapes(0), OperandShapes(args))) {
    return RuleError("all_gather_start_c1",
                     absl::StrCat("the result must be (operands, results), "
                                  "got ",
                                  Text(declared)));
  }
  TF_RETURN_IF_ERROR(CheckAllGather(args, attrs, declared.tuple_shapes(1)));
  return declared;
}

absl::StatusOr<Shape> InferAllGatherDone(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  // all_gather_done_c1: the operand is (operands, results).
  if (!operand.IsTuple() || operand.tuple_shapes_size() != 2) {
    return RuleError("all_gather_done_c1",
                     absl::StrCat("the operand must be (operands, results), "
                                  "got ",
                                  Text(operand)));
  }
  return operand.tuple_shapes(1);
}

absl::StatusOr<Shape> InferAllReduce(const InferArgs& args,
                                     const AllReduceAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckGroups("all-reduce", attrs.replica_groups,
                                 GroupSizes::kAny, attrs.channel_id,
                                 attrs.use_global_device_ids));
  // all_reduce_c1: there are operands, all arrays.
  TF_RETURN_IF_ERROR(CheckArrays("all_reduce_c1", args));
  // all_reduce_c2: to_apply combines two scalars of a type.
  TF_RETURN_IF_ERROR(CheckReducer("all_reduce_c2", args.computation(0)));
  return OperandShapes(args);
}

absl::StatusOr<Shape> InferAllReduceDone(const InferArgs& args) {
  return args.operand(0);
}

absl::StatusOr<Shape> InferReduceScatter(const InferArgs& args,
                                         const ReduceScatterAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckGroups("reduce-scatter", attrs.replica_groups,
                                 GroupSizes::kEqual, attrs.channel_id,
                                 attrs.use_global_device_ids));
  // reduce_scatter_c1: there are operands, all arrays.
  TF_RETURN_IF_ERROR(CheckArrays("reduce_scatter_c1", args));
  // reduce_scatter_c2: one dimension, which every operand has.
  TF_RETURN_IF_ERROR(
      CheckDimension("reduce_scatter_c2", attrs.dimensions, args));
  // reduce_scatter_c3: to_apply combines two scalars of a type.
  TF_RETURN_IF_ERROR(CheckReducer("reduce_scatter_c3", args.computation(0)));
  int64_t k = GroupSize(attrs.replica_groups, attrs.channel_id,
                        attrs.use_global_device_ids);
  for (size_t i = 0; i < args.operands.size(); ++i) {
    const Shape* part = Part(*args.declared, args, i);
    // reduce_scatter_c4: there is one result for each operand.
    if (part == nullptr) {
      return RuleError(
          "reduce_scatter_c4",
          absl::StrCat("there are ", args.operands.size(),
                       " operands, but the result is ", Text(*args.declared)));
    }
    // reduce_scatter_c5: operands are k times the results in the dimension.
    if (!IsMultiple(args.operand(i), *part, attrs.dimensions[0], &k)) {
      return RuleError(
          "reduce_scatter_c5",
          NotMultiple(args.operand(i), *part, attrs.dimensions[0], k));
    }
  }
  return *args.declared;
}

absl::StatusOr<Shape> InferAllToAll(const InferArgs& args,
                                    const AllToAllAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckGroups("all-to-all", attrs.replica_groups,
                                 GroupSizes::kEqual, attrs.channel_id, false));
  // all_to_all_c1: there are operands, all arrays.
  TF_RETURN_IF_ERROR(CheckArrays("all_to_all_c1", args));
  const int64_t size = attrs.replica_groups.groups().empty()
                           ? 0
                           : attrs.replica_groups.groups()[0].size();
  if (!attrs.dimensions.empty()) {
    // all_to_all_c2: with a dimension, there is one operand, which has it.
    TF_RETURN_IF_ERROR(CheckDimension("all_to_all_c2", attrs.dimensions, args));
    if (args.operands.size() != 1) {
      return RuleError("all_to_all_c2",
                       absl::StrCat("with a dimension there must be one "
                                    "operand, got ",
                                    args.operands.size()));
    }
    // all_to_all_c3: the group's size divides the dimension.
    const int64_t extent = args.operand(0).dimensions(attrs.dimensions[0]);
    if (size > 0 && extent != Shape::kUnboundedSize && extent % size != 0) {
      return RuleError(
          "all_to_all_c3",
          absl::StrCat("dimension ", attrs.dimensions[0], " of ",
                       Text(args.operand(0)), " cannot be split in ", size));
    }
    return args.operand(0);
  }
  for (const Shape* operand : args.operands) {
    // all_to_all_c6: in the tuple form sizes have bounds; the words are those
    // of XLA.
    if (operand->is_unbounded_dynamic()) {
      return RuleError(
          "all_to_all_c6",
          absl::StrCat("AllToAllTuple does not support unbounded dynamic "
                       "shapes, got ",
                       Text(*operand)));
    }
    // all_to_all_c4: in the tuple form all operands have one shape.
    if (!ShapeUtil::Compatible(*operand, args.operand(0))) {
      return RuleError(
          "all_to_all_c4",
          absl::StrCat("operands must have one shape, got ",
                       Text(args.operand(0)), " and ", Text(*operand)));
    }
  }
  // all_to_all_c5: in the tuple form there is an operand for each device.
  if (size > 0 && size != static_cast<int64_t>(args.operands.size())) {
    return RuleError("all_to_all_c5",
                     absl::StrCat("there are ", args.operands.size(),
                                  " operands for groups of ", size));
  }
  return ShapeUtil::MakeTupleShapeWithPtrs(args.operands);
}

absl::StatusOr<Shape> InferCollectiveBroadcast(
    const InferArgs& args, const CollectiveBroadcastAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckReplicaGroups(
      "collective-broadcast", attrs.replica_groups, GroupSizes::kAny));
  // collective_broadcast_c1: there are operands, all arrays.
  TF_RETURN_IF_ERROR(CheckArrays("collective_broadcast_c1", args));
  return OperandShapes(args);
}

absl::StatusOr<Shape> InferCollectivePermute(
    const InferArgs& args, const CollectivePermuteAttrs& attrs) {
  if (IsInPlace(attrs)) return InferInPlacePermute(args, attrs);
  TF_RETURN_IF_ERROR(CheckPairs(attrs.source_target_pairs));
  // collective_permute_c4: there are operands, all arrays.
  TF_RETURN_IF_ERROR(CheckArrays("collective_permute_c4", args));
  return OperandShapes(args);
}

absl::StatusOr<Shape> InferCollectivePermuteStart(
    const InferArgs& args, const CollectivePermuteAttrs& attrs) {
  TF_ASSIGN_OR_RETURN(Shape result, InferCollectivePermute(args, attrs));
  const Shape sent = IsInPlace(attrs) ? args.operand(0) : result;
  const Shape& declared = *args.declared;
  // collective_permute_start_c1: the result is (operands, results, ...).
  if (!declared.IsTuple() || declared.tuple_shapes_size() < 2 ||
      !ShapeUtil::Compatible(declared.tuple_shapes(0), sent) ||
      !ShapeUtil::Compatible(declared.tuple_shapes(1), result)) {
    return RuleError("collective_permute_start_c1",
                     absl::StrCat("the result must be (operands, results, "
                                  "contexts...), got ",
                                  Text(declared)));
  }
  for (int i = 2; i < declared.tuple_shapes_size(); ++i) {
    const Shape& context = declared.tuple_shapes(i);
    // collective_permute_start_c2: contexts are u32[] or s32[].
    if (!ShapeUtil::IsScalarWithElementType(context, U32) &&
        !ShapeUtil::IsScalarWithElementType(context, S32)) {
      return RuleError("collective_permute_start_c2",
                       absl::StrCat("context ", i - 2, " must be u32[], got ",
                                    Text(context)));
    }
  }
  return declared;
}

absl::StatusOr<Shape> InferCollectivePermuteDone(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  // collective_permute_done_c1: the operand is (operands, results, ...).
  if (!operand.IsTuple() || operand.tuple_shapes_size() < 2) {
    return RuleError("collective_permute_done_c1",
                     absl::StrCat("the operand must be (operands, results, "
                                  "contexts...), got ",
                                  Text(operand)));
  }
  return operand.tuple_shapes(1);
}

absl::StatusOr<Shape> InferRaggedAllToAll(const InferArgs& args,
                                          const RaggedAllToAllAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckReplicaGroups(
      "ragged-all-to-all", attrs.replica_groups, GroupSizes::kEqual));
  // ragged_all_to_all_c1: all operands are arrays.
  TF_RETURN_IF_ERROR(CheckArrays("ragged_all_to_all_c1", args));
  const Shape& input = args.operand(0);
  const Shape& output = args.operand(1);
  bool same = input.element_type() == output.element_type() &&
              input.rank() == output.rank() && input.rank() > 0;
  for (int d = 1; same && d < input.dimensions_size(); ++d) {
    same = SizesFit(input.dimensions(d), output.dimensions(d));
  }
  // ragged_all_to_all_c2: input and output differ in dimension 0 alone.
  if (!same) {
    return RuleError(
        "ragged_all_to_all_c2",
        absl::StrCat("input ", Text(input), " and output ", Text(output),
                     " may differ in dimension 0 alone"));
  }
  const Shape& offsets = args.operand(2);
  for (size_t i = 2; i < args.operands.size(); ++i) {
    const Shape& sizes = args.operand(i);
    // ragged_all_to_all_c3: offsets and sizes are integers of rank 1 or 2.
    if (!primitive_util::IsIntegralType(sizes.element_type()) ||
        sizes.rank() < 1 || sizes.rank() > 2) {
      return RuleError("ragged_all_to_all_c3",
                       absl::StrCat("operand ", i,
                                    " must be integers of rank "
                                    "1 or 2, got ",
                                    Text(sizes)));
    }
    // ragged_all_to_all_c4: offsets and sizes have one shape.
    if (!ShapeUtil::Compatible(sizes, offsets)) {
      return RuleError("ragged_all_to_all_c4",
                       absl::StrCat("operand ", i, " must be ", Text(offsets),
                                    " as operand 2 is, got ", Text(sizes)));
    }
  }
  return output;
}

absl::StatusOr<Shape> InferDeviceNumber(const InferArgs& args) {
  return ShapeUtil::MakeScalarShape(U32);
}

}  // namespace xla
