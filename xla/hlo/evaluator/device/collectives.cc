// Kernels of the collective ops.
#include "xla/hlo/evaluator/device/collectives.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/interpreter/control_flow.h"
#include "xla/hlo/evaluator/movement/slicing.h"
#include "xla/hlo/evaluator/reduction/scalar_function.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/hlo/ops/device/permuted_slices.h"

namespace xla {
namespace {

// The contribution of each device, in the order of the group.
struct Gathered {
  std::vector<std::vector<Value>> from;
  int64_t me = 0;  // position in the group
  int64_t size() const { return from.size(); }
  const Literal& array(int64_t device, size_t i) const {
    return from[device][i].array();
  }
};

// Checks that all devices contributed arrays of the same shapes, which fails
// only if the program uses one channel for two collectives.
absl::Status CheckAlike(const HloInstruction& hlo, const Gathered& gathered) {
  const std::vector<Value>& mine = gathered.from[gathered.me];
  for (const std::vector<Value>& theirs : gathered.from) {
    bool alike = theirs.size() == mine.size();
    for (size_t i = 0; alike && i < mine.size(); ++i) {
      alike = theirs[i].Fits(mine[i].shape());
    }
    if (!alike) {
      return absl::InvalidArgumentError(absl::StrCat(
          hlo.name(), ": the devices brought operands of differing shapes"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Gathered> Gather(DeviceContext& device,
                                const HloInstruction& hlo, int64_t channel_id,
                                const std::vector<int64_t>& group,
                                std::vector<Value> operands) {
  if (group.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo.name(), ": device ", device.number(),
                     " is in none of the replica groups"));
  }
  Gathered gathered;
  gathered.me =
      std::find(group.begin(), group.end(), device.number()) - group.begin();
  TF_ASSIGN_OR_RETURN(gathered.from, device.Exchange(hlo, channel_id, group,
                                                     std::move(operands)));
  TF_RETURN_IF_ERROR(CheckAlike(hlo, gathered));
  return gathered;
}

// Gathers for ops with the attributes of all-gather.
template <typename Attrs>
absl::StatusOr<Gathered> GatherWithGlobalIds(DeviceContext& device,
                                             const HloInstruction& hlo,
                                             const Attrs& attrs,
                                             std::vector<Value> operands) {
  TF_ASSIGN_OR_RETURN(CollectiveOpGroupMode mode,
                      GetCollectiveOpGroupMode(attrs.channel_id.has_value(),
                                               attrs.use_global_device_ids));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> group,
                      GroupOf(device, attrs.replica_groups, mode));
  return Gather(device, hlo, attrs.channel_id.value_or(0), group,
                std::move(operands));
}

// Returns the group for ops without use_global_device_ids.
template <typename Attrs>
absl::StatusOr<std::vector<int64_t>> GroupWithoutGlobalIds(
    const DeviceContext& device, const Attrs& attrs) {
  TF_ASSIGN_OR_RETURN(
      CollectiveOpGroupMode mode,
      GetCollectiveOpGroupMode(attrs.channel_id.has_value(), std::nullopt));
  return GroupOf(device, attrs.replica_groups, mode);
}

// Returns the only value, or a tuple of several.
Value Bundle(std::vector<Value> values) {
  return values.size() == 1 ? std::move(values[0]) : Value(std::move(values));
}

// The rows of an array around dimension d: the elements of index i along d are
// `count` blocks of `block_bytes`, `stride_bytes` apart.
struct Rows {
  Rows(const Shape& shape, int64_t d) {
    for (int i = 0; i < d; ++i) count *= shape.dimensions(i);
    block_bytes = LiteralElementBytes(shape.element_type());
    for (int i = d + 1; i < shape.dimensions_size(); ++i) {
      block_bytes *= shape.dimensions(i);
    }
    stride_bytes = block_bytes * shape.dimensions(d);
  }
  int64_t count = 1;
  int64_t block_bytes = 0;
  int64_t stride_bytes = 0;
};

// Copies n indices along dimension d, from `from_index` to `to_index`. The
// arrays differ in dimension d alone.
void CopyRows(const Literal& from, int64_t from_index, Literal& to,
              int64_t to_index, int64_t n, int64_t d) {
  const Rows source(from.shape(), d);
  const Rows target(to.shape(), d);
  if (n == 0 || source.count * source.block_bytes == 0) return;
  const char* in = static_cast<const char*>(from.untyped_data());
  char* out = static_cast<char*>(to.untyped_data());
  for (int64_t i = 0; i < source.count; ++i) {
    std::memcpy(out + i * target.stride_bytes + to_index * target.block_bytes,
                in + i * source.stride_bytes + from_index * source.block_bytes,
                n * source.block_bytes);
  }
}

// Returns the shape of result i of an op with one or several results.
const Shape& PartShape(const Shape& shape, size_t i) {
  return shape.IsTuple() ? shape.tuple_shapes(i) : shape;
}

// Returns zeros with the dimensions of `shape` and the element type of `part`,
// so that rows can be copied whatever type the program declares.
absl::StatusOr<Literal> ZerosLike(const Shape& shape, const Literal& part) {
  return MakeArrayResult(
      ShapeUtil::ChangeElementType(shape, part.shape().element_type()));
}

absl::Status CheckPart(const HloInstruction& hlo, int64_t whole, int64_t part,
                       int64_t group_size) {
  if (whole == part * group_size) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(hlo.name(), ": a dimension of ", whole, " is not ",
                   group_size, " times ", part, " for groups of ", group_size));
}

absl::StatusOr<Literal> InType(const Literal& array, PrimitiveType type) {
  if (array.shape().element_type() == type) return array.Clone();
  return array.Convert(type);
}

// Reduces operand i over the group, in order.
absl::StatusOr<Literal> ReduceOver(ScalarFunction& reducer,
                                   const Gathered& gathered, size_t i) {
  const PrimitiveType type = reducer.parameter_type(0);
  TF_ASSIGN_OR_RETURN(Literal sum, InType(gathered.array(0, i), type));
  for (int64_t device = 1; device < gathered.size(); ++device) {
    const Literal* next = &gathered.array(device, i);
    Literal converted;
    if (next->shape().element_type() != type) {
      TF_ASSIGN_OR_RETURN(converted, InType(*next, type));
      next = &converted;
    }
    TF_RETURN_IF_ERROR(reducer.Call(sum.element_count(),
                                    {sum.untyped_data(), next->untyped_data()},
                                    {sum.untyped_data()}));
  }
  return InType(sum, gathered.array(0, i).shape().element_type());
}

// Returns (operands, result, zeros...), the result of a start op.
absl::StatusOr<Value> StartTuple(const HloInstruction& hlo,
                                 std::vector<Value> operands, Value result) {
  std::vector<Value> parts = {Bundle(std::move(operands)), std::move(result)};
  for (int i = 2; i < hlo.shape().tuple_shapes_size(); ++i) {
    TF_ASSIGN_OR_RETURN(Value context, ZeroValue(hlo.shape().tuple_shapes(i)));
    parts.push_back(std::move(context));
  }
  return Value(std::move(parts));
}

absl::StatusOr<Value> ConcatenateParts(const HloInstruction& hlo,
                                       const Shape& shape,
                                       const Gathered& gathered, size_t i,
                                       int64_t d) {
  const Shape& part = gathered.array(0, i).shape();
  const int64_t n = part.dimensions(d);
  TF_RETURN_IF_ERROR(CheckPart(hlo, shape.dimensions(d), n, gathered.size()));
  TF_ASSIGN_OR_RETURN(Literal whole, ZerosLike(shape, gathered.array(0, i)));
  for (int64_t device = 0; device < gathered.size(); ++device) {
    CopyRows(gathered.array(device, i), 0, whole, device * n, n, d);
  }
  return Value(std::move(whole));
}

// The participants of a collective-permute: all devices that its pairs name
// form one group, and the pairs determine who sends to whom.
struct PermuteMembers {
  static absl::StatusOr<PermuteMembers> Create(
      const DeviceContext& device, const CollectivePermuteAttrs& attrs) {
    const bool by_partition = attrs.channel_id.has_value();
    const ReplicaGroups groups = GroupOfPairs(attrs.source_target_pairs);
    PermuteMembers members;
    members.ids = groups.groups()[0];
    members.me = by_partition ? device.partition_id() : device.replica_id();
    TF_ASSIGN_OR_RETURN(
        members.group,
        GroupOf(device, groups,
                by_partition ? COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION
                             : COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA));
    return members;
  }

  // Returns the group position of the sender to this device, or -1.
  int64_t SourceOfMe(const SourceTargetPairs& pairs) const {
    for (const auto& [source, target] : pairs) {
      if (target != me) continue;
      return std::find(ids.begin(), ids.end(), source) - ids.begin();
    }
    return -1;
  }

  std::vector<int64_t> ids;  // replica or partition numbers
  int64_t me = 0;            // this device's number
  std::vector<int64_t> group;
};

// Returns the start indices of a slice of an array, from operand 2 or 3.
std::vector<const Literal*> StartsOf(const Value& starts, bool in_tuple,
                                     int64_t array, int64_t slice) {
  const Value& of_array = in_tuple ? starts.element(array) : starts;
  const Value& of_slice =
      of_array.element(0).is_tuple() ? of_array.element(slice) : of_array;
  std::vector<const Literal*> indices;
  AppendLeaves(of_slice, indices);
  return indices;
}

// Returns this device's output with the slices that others send to it.
Value PermuteInPlace(const CollectivePermuteAttrs& attrs,
                     const PermuteMembers& members, const Gathered& gathered,
                     const std::vector<Value>& operands) {
  const bool in_tuple = operands[1].is_tuple();
  const PermutedSlices slices(attrs, operands[0].shape());
  std::vector<Value> results;
  for (int64_t array = 0; array < slices.array_count(); ++array) {
    const auto array_of = [&](const Value& arrays) -> const Literal& {
      return in_tuple ? arrays.element(array).array() : arrays.array();
    };
    Literal result = array_of(operands[1]).Clone();
    for (int64_t slice = 0; slice < slices.slice_count(); ++slice) {
      const int64_t source = members.SourceOfMe(slices.pairs(slice));
      if (source < 0) continue;
      const std::vector<Value>& theirs = gathered.from[source];
      CopySlice(array_of(theirs[0]),
                StartsOf(theirs[2], in_tuple, array, slice), result,
                StartsOf(operands[3], in_tuple, array, slice),
                slices.sizes(array, slice));
    }
    results.emplace_back(std::move(result));
  }
  return in_tuple ? Value(std::move(results)) : std::move(results[0]);
}

// The source and destination of a ragged-all-to-all slice, in rows.
struct RaggedSlice {
  int64_t input_offset;
  int64_t size;
  int64_t output_offset;
};

void CopyRaggedSlice(const Literal& input, RaggedSlice slice, Literal& output) {
  const int64_t in_rows = input.shape().dimensions(0);
  const int64_t out_rows = output.shape().dimensions(0);
  if (slice.input_offset < 0 || slice.input_offset > in_rows ||
      slice.output_offset < 0 || slice.output_offset > out_rows) {
    return;
  }
  const int64_t n = std::min({slice.size, in_rows - slice.input_offset,
                              out_rows - slice.output_offset});
  if (n > 0) {
    CopyRows(input, slice.input_offset, output, slice.output_offset, n, 0);
  }
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> GroupOf(const DeviceContext& device,
                                             const ReplicaGroups& groups,
                                             CollectiveOpGroupMode mode) {
  return DevicesOfGroup(groups, mode,
                        {device.num_replicas(), device.num_partitions()},
                        device.number());
}

absl::StatusOr<Value> EvaluateAllGather(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<AllGatherAttrs>();
  const bool start = hlo.opcode() == HloOpcode::kAllGatherStart;
  const Shape& shape = start ? hlo.shape().tuple_shapes(1) : hlo.shape();
  TF_ASSIGN_OR_RETURN(
      Gathered gathered,
      GatherWithGlobalIds(interpreter.device(), hlo, attrs, operands));
  std::vector<Value> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    TF_ASSIGN_OR_RETURN(Value result,
                        ConcatenateParts(hlo, PartShape(shape, i), gathered, i,
                                         attrs.dimensions[0]));
    results.push_back(std::move(result));
  }
  Value result =
      shape.IsTuple() ? Value(std::move(results)) : std::move(results[0]);
  if (!start) return result;
  return StartTuple(hlo, std::move(operands), std::move(result));
}

absl::StatusOr<Value> EvaluateAllReduce(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands) {
  const size_t n = operands.size();
  TF_ASSIGN_OR_RETURN(
      Gathered gathered,
      GatherWithGlobalIds(interpreter.device(), hlo,
                          hlo.attrs<AllReduceAttrs>(), std::move(operands)));
  ScalarFunction reducer(interpreter, *hlo.to_apply());
  std::vector<Value> results;
  for (size_t i = 0; i < n; ++i) {
    TF_ASSIGN_OR_RETURN(Literal result, ReduceOver(reducer, gathered, i));
    results.push_back(Value(std::move(result)));
  }
  return Bundle(std::move(results));
}

absl::StatusOr<Value> EvaluateReduceScatter(Interpreter& interpreter,
                                            const HloInstruction& hlo,
                                            std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<ReduceScatterAttrs>();
  const int64_t d = attrs.dimensions[0];
  const size_t operand_count = operands.size();
  TF_ASSIGN_OR_RETURN(Gathered gathered,
                      GatherWithGlobalIds(interpreter.device(), hlo, attrs,
                                          std::move(operands)));
  ScalarFunction reducer(interpreter, *hlo.to_apply());
  std::vector<Value> results;
  for (size_t i = 0; i < operand_count; ++i) {
    const Shape& shape = PartShape(hlo.shape(), i);
    TF_ASSIGN_OR_RETURN(Literal whole, ReduceOver(reducer, gathered, i));
    const int64_t n = shape.dimensions(d);
    TF_RETURN_IF_ERROR(
        CheckPart(hlo, whole.shape().dimensions(d), n, gathered.size()));
    TF_ASSIGN_OR_RETURN(Literal part, ZerosLike(shape, whole));
    CopyRows(whole, gathered.me * n, part, 0, n, d);
    results.push_back(Value(std::move(part)));
  }
  return hlo.shape().IsTuple() ? Value(std::move(results))
                               : std::move(results[0]);
}

absl::StatusOr<Value> EvaluateAllToAll(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<AllToAllAttrs>();
  DeviceContext& device = interpreter.device();
  const int64_t operand_count = operands.size();
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> group,
                      GroupWithoutGlobalIds(device, attrs));
  TF_ASSIGN_OR_RETURN(Gathered gathered,
                      Gather(device, hlo, attrs.channel_id.value_or(0), group,
                             std::move(operands)));
  if (attrs.dimensions.empty()) {
    TF_RETURN_IF_ERROR(CheckPart(hlo, operand_count, 1, gathered.size()));
    std::vector<Value> results;
    for (const auto& theirs : gathered.from) {
      results.push_back(theirs[gathered.me]);
    }
    return Value(std::move(results));
  }
  const int64_t d = attrs.dimensions[0];
  const int64_t n = hlo.shape().dimensions(d) / gathered.size();
  TF_RETURN_IF_ERROR(
      CheckPart(hlo, hlo.shape().dimensions(d), n, gathered.size()));
  TF_ASSIGN_OR_RETURN(Literal result,
                      ZerosLike(hlo.shape(), gathered.array(0, 0)));
  for (int64_t i = 0; i < gathered.size(); ++i) {
    CopyRows(gathered.array(i, 0), gathered.me * n, result, i * n, n, d);
  }
  return Value(std::move(result));
}

absl::StatusOr<Value> EvaluateCollectiveBroadcast(Interpreter& interpreter,
                                                  const HloInstruction& hlo,
                                                  std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<CollectiveBroadcastAttrs>();
  DeviceContext& device = interpreter.device();
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> group,
                      GroupWithoutGlobalIds(device, attrs));
  if (group.empty()) return ZeroValue(hlo.shape());
  TF_ASSIGN_OR_RETURN(Gathered gathered,
                      Gather(device, hlo, attrs.channel_id.value_or(0), group,
                             std::move(operands)));
  return Bundle(std::move(gathered.from[0]));
}

absl::StatusOr<Value> EvaluateCollectivePermute(Interpreter& interpreter,
                                                const HloInstruction& hlo,
                                                std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<CollectivePermuteAttrs>();
  const bool start = hlo.opcode() == HloOpcode::kCollectivePermuteStart;
  const bool in_place = IsInPlace(attrs);
  DeviceContext& device = interpreter.device();
  TF_ASSIGN_OR_RETURN(const PermuteMembers members,
                      PermuteMembers::Create(device, attrs));
  const Shape& shape = start ? hlo.shape().tuple_shapes(1) : hlo.shape();
  Gathered gathered;
  if (!members.group.empty()) {
    TF_ASSIGN_OR_RETURN(gathered,
                        Gather(device, hlo, attrs.channel_id.value_or(0),
                               members.group, operands));
  }
  Value result;
  const int64_t source = members.SourceOfMe(attrs.source_target_pairs);
  if (in_place) {
    result = PermuteInPlace(attrs, members, gathered, operands);
  } else if (source >= 0) {
    result = Bundle(std::move(gathered.from[source]));
  } else {
    TF_ASSIGN_OR_RETURN(result, ZeroValue(shape));
  }
  if (!start) return result;
  if (in_place) operands.resize(1);
  return StartTuple(hlo, std::move(operands), std::move(result));
}

absl::StatusOr<Value> EvaluateRaggedAllToAll(Interpreter& interpreter,
                                             const HloInstruction& hlo,
                                             std::vector<Value> operands) {
  const auto& attrs = hlo.attrs<RaggedAllToAllAttrs>();
  DeviceContext& device = interpreter.device();
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> group,
                      GroupWithoutGlobalIds(device, attrs));
  Literal output = operands[1].array().Clone();
  TF_ASSIGN_OR_RETURN(Gathered gathered,
                      Gather(device, hlo, attrs.channel_id.value_or(0), group,
                             std::move(operands)));
  // Each device has the same number of slices for every other.
  const int64_t slices = gathered.array(0, 2).element_count();
  const int64_t per_device = slices / gathered.size();
  TF_RETURN_IF_ERROR(CheckPart(hlo, slices, per_device, gathered.size()));
  for (int64_t sender = 0; sender < gathered.size(); ++sender) {
    const std::vector<int64_t> from = IntegerValues(gathered.array(sender, 2));
    const std::vector<int64_t> sizes = IntegerValues(gathered.array(sender, 3));
    const std::vector<int64_t> to = IntegerValues(gathered.array(sender, 4));
    for (int64_t u = 0; u < per_device; ++u) {
      const int64_t i = gathered.me * per_device + u;
      CopyRaggedSlice(gathered.array(sender, 0), {from[i], sizes[i], to[i]},
                      output);
    }
  }
  return Value(std::move(output));
}

Value DeviceNumber(int64_t number) {
  Literal literal(ShapeUtil::MakeScalarShape(U32));
  literal.Set<uint32_t>({}, static_cast<uint32_t>(number));
  return Value(std::move(literal));
}

}  // namespace xla
