// Groups are lists of partition numbers, one channel for each collective.
#include "xla/hlo/transforms/resharding/spmd_builder.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla {
namespace {

using Hlo = HloBuilder::Hlo;

std::vector<int64_t> SizesOf(const HloInstruction* x) {
  const absl::Span<const int64_t> sizes = x->shape().dimensions();
  return std::vector<int64_t>(sizes.begin(), sizes.end());
}

}  // namespace

Literal ReductionIdentity(HloOpcode op, PrimitiveType type) {
  switch (op) {
    case HloOpcode::kMultiply:
      return LiteralUtil::One(type);
    case HloOpcode::kMaximum:
      return LiteralUtil::MinValue(type);
    case HloOpcode::kMinimum:
      return LiteralUtil::MaxValue(type);
    case HloOpcode::kAnd:
      if (primitive_util::IsSignedIntegralType(type)) {
        return LiteralUtil::CreateR0(type, -1);
      }
      return LiteralUtil::MaxValue(type);
    case HloOpcode::kAdd:
      if (primitive_util::IsComplexType(type)) {
        return LiteralUtil::CreateR0(type, complex128(-0.0, -0.0));
      }
      if (primitive_util::IsFloatingPointType(type)) {
        return LiteralUtil::CreateR0(type, -0.0);
      }
      return LiteralUtil::Zero(type);
    default:
      return LiteralUtil::Zero(type);
  }
}

ReplicaGroups SpmdBuilder::GlobalGroups(const DeviceMesh& mesh,
                                        absl::Span<const AxisPart> axes) const {
  ReplicaGroups::Groups groups;
  for (int64_t replica = 0; replica < state_.num_replicas; ++replica) {
    for (std::vector<int64_t> group : mesh.GroupsAlong(axes)) {
      for (int64_t& device : group) device += replica * num_partitions();
      groups.push_back(std::move(group));
    }
  }
  return ReplicaGroups(std::move(groups));
}

Hlo SpmdBuilder::AddReduction(HloOpcode opcode, Hlo x, Shape shape,
                              HloOpcode reducer, Attrs attrs) {
  const PrimitiveType type = x->shape().element_type();
  HloComputation*& apply = state_.reducers[{reducer, type}];
  if (apply == nullptr) {
    apply = MakeScalarComputation(computation()->parent(), reducer, type);
  }
  return Add(opcode, std::move(shape), {x}, std::move(attrs), {apply});
}

Hlo SpmdBuilder::AllReduce(Hlo x, HloOpcode reducer, const DeviceMesh& mesh,
                           absl::Span<const AxisPart> axes) {
  if (axes.empty()) return x;
  AllReduceAttrs attrs;
  attrs.channel_id = NextChannel();
  attrs.replica_groups = GlobalGroups(mesh, axes);
  attrs.use_global_device_ids = true;
  return AddReduction(HloOpcode::kAllReduce, x, x->shape(), reducer,
                      std::move(attrs));
}

Hlo SpmdBuilder::AllGather(Hlo x, int64_t dimension, const DeviceMesh& mesh,
                           absl::Span<const AxisPart> axes) {
  if (axes.empty()) return x;
  AllGatherAttrs attrs;
  attrs.channel_id = NextChannel();
  attrs.replica_groups = GlobalGroups(mesh, axes);
  attrs.dimensions = {dimension};
  attrs.use_global_device_ids = true;
  std::vector<int64_t> sizes = SizesOf(x);
  sizes[dimension] *= SizeOf(axes);
  return Add(HloOpcode::kAllGather, MakeShape(x->shape().element_type(), sizes),
             {x}, std::move(attrs));
}

Hlo SpmdBuilder::ReduceScatter(Hlo x, int64_t dimension, HloOpcode reducer,
                               const DeviceMesh& mesh,
                               absl::Span<const AxisPart> axes) {
  if (axes.empty()) return x;
  ReduceScatterAttrs attrs;
  attrs.channel_id = NextChannel();
  attrs.replica_groups = GlobalGroups(mesh, axes);
  attrs.dimensions = {dimension};
  attrs.use_global_device_ids = true;
  std::vector<int64_t> sizes = SizesOf(x);
  sizes[dimension] /= SizeOf(axes);
  return AddReduction(HloOpcode::kReduceScatter, x,
                      MakeShape(x->shape().element_type(), sizes), reducer,
                      std::move(attrs));
}

Hlo SpmdBuilder::AllToAll(Hlo x, int64_t split, int64_t concat,
                          const DeviceMesh& mesh,
                          absl::Span<const AxisPart> axes) {
  const int64_t count = SizeOf(axes);
  if (count == 1) return x;
  // [.., count * m, ..] becomes [.., count, m, ..], whose parts of the first
  // new dimension are exchanged.
  std::vector<int64_t> sizes = SizesOf(x);
  std::vector<int64_t> apart = sizes;
  apart[split] /= count;
  const int64_t m = apart[split];
  apart.insert(apart.begin() + split, count);
  AllToAllAttrs attrs;
  attrs.channel_id = NextChannel();
  // With a channel these are partitions, for each replica.
  attrs.replica_groups = ReplicaGroups(mesh.GroupsAlong(axes));
  attrs.dimensions = {split};
  Hlo parts = Reshape(x, apart);
  parts = Add(HloOpcode::kAllToAll, parts->shape(), {parts}, std::move(attrs));
  // The new dimension moves to just before `concat`, which it is merged with.
  std::vector<int64_t> permutation;
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
    if (d == concat) permutation.push_back(split);
    permutation.push_back(d < split ? d : d + 1);
  }
  sizes[split] = m;
  sizes[concat] *= count;
  return Reshape(Transpose(parts, permutation), sizes);
}

std::vector<Hlo> SpmdBuilder::CollectiveBroadcast(
    absl::Span<const Hlo> arrays, std::vector<std::vector<int64_t>> groups) {
  if (arrays.empty()) return {};
  CollectiveBroadcastAttrs attrs;
  attrs.channel_id = NextChannel();
  attrs.replica_groups = ReplicaGroups(std::move(groups));
  if (arrays.size() == 1) {
    return {Add(HloOpcode::kCollectiveBroadcast, arrays[0]->shape(), arrays,
                std::move(attrs))};
  }
  std::vector<Shape> shapes;
  for (const Hlo array : arrays) shapes.push_back(array->shape());
  Hlo all = Add(HloOpcode::kCollectiveBroadcast,
                ShapeUtil::MakeTupleShape(shapes), arrays, std::move(attrs));
  std::vector<Hlo> elements;
  for (size_t i = 0; i < arrays.size(); ++i) {
    elements.push_back(Element(all, i));
  }
  return elements;
}

Hlo SpmdBuilder::CollectivePermute(
    Hlo x, std::vector<std::pair<int64_t, int64_t>> pairs) {
  CollectivePermuteAttrs attrs;
  attrs.channel_id = NextChannel();
  attrs.source_target_pairs = std::move(pairs);
  return Add(HloOpcode::kCollectivePermute, x->shape(), {x}, std::move(attrs));
}

Hlo SpmdBuilder::PerPartition(absl::Span<const int64_t> values) {
  if (absl::c_all_of(values, [&](int64_t v) { return v == values[0]; })) {
    return Index(values[0]);
  }
  Hlo& result = tables_[std::vector<int64_t>(values.begin(), values.end())];
  if (result != nullptr) return result;
  if (partition_ == nullptr) {
    partition_ =
        Convert(Add(HloOpcode::kPartitionId, MakeShape(U32, {}), {}), S32);
  }
  std::vector<int32_t> numbers;
  for (const int64_t value : values) {
    numbers.push_back(static_cast<int32_t>(value));
    if (numbers.back() == value) continue;
    Fail(absl::UnimplementedError(
        absl::StrCat("a part that begins at index ", value)));
  }
  Hlo table = Constant(LiteralUtil::CreateR1<int32_t>(numbers));
  result = Reshape(DynamicSlice(table, {partition_}, {1}), {});
  return result;
}

Hlo SpmdBuilder::Coordinate(const DeviceMesh& mesh,
                            absl::Span<const AxisPart> axes, int64_t factor) {
  std::vector<int64_t> values = mesh.CoordinatesOf(axes);
  for (int64_t& value : values) value *= factor;
  return PerPartition(values);
}

Hlo SpmdBuilder::IsAt(const DeviceMesh& mesh, absl::Span<const AxisPart> axes,
                      int64_t coordinate) {
  return Compare(ComparisonDirection::kEq, Coordinate(mesh, axes),
                 Index(coordinate));
}

Hlo SpmdBuilder::Positions(int64_t size, Hlo offset) {
  Hlo index = Iota(S32, {size}, 0);
  return Plus(index, Splat(offset, {size}));
}

Hlo SpmdBuilder::InRange(Hlo x, int64_t lower, int64_t upper) {
  Hlo is_behind = Compare(ComparisonDirection::kGe, x, IntegerLike(x, lower));
  Hlo is_before = Compare(ComparisonDirection::kLt, x, IntegerLike(x, upper));
  return And(is_behind, is_before);
}

Hlo SpmdBuilder::DynamicSliceDim(Hlo x, int64_t dimension, Hlo start,
                                 int64_t size) {
  std::vector<int64_t> sizes = SizesOf(x);
  if (sizes[dimension] == size) return x;
  std::vector<Hlo> starts(sizes.size(), nullptr);
  for (size_t d = 0; d < sizes.size(); ++d) {
    starts[d] = static_cast<int64_t>(d) == dimension ? start : Index(0);
  }
  sizes[dimension] = size;
  return DynamicSlice(x, starts, sizes);
}

Hlo SpmdBuilder::PadDim(Hlo x, int64_t dimension, int64_t low, int64_t high,
                        Hlo fill) {
  if (low == 0 && high == 0) return x;
  std::vector<int64_t> sizes = SizesOf(x);
  PadAttrs attrs;
  for (size_t d = 0; d < sizes.size(); ++d) {
    auto* padding = attrs.padding.add_dimensions();
    if (static_cast<int64_t>(d) != dimension) continue;
    padding->set_edge_padding_low(low);
    padding->set_edge_padding_high(high);
    sizes[d] += low + high;
  }
  return Add(HloOpcode::kPad, MakeShape(x->shape().element_type(), sizes),
             {x, fill}, std::move(attrs));
}

Hlo SpmdBuilder::MaskDim(Hlo x, int64_t dimension, Hlo offset, int64_t lower,
                         int64_t upper, Hlo fill) {
  const std::vector<int64_t> sizes = SizesOf(x);
  Hlo inside = InRange(Positions(sizes[dimension], offset), lower, upper);
  return Select(Broadcast(inside, sizes, {dimension}), x, Splat(fill, sizes));
}

Hlo SpmdBuilder::Clamp(Hlo x, int64_t low, int64_t high) {
  Hlo bounded = Binary(HloOpcode::kMaximum, x, Index(low));
  return Binary(HloOpcode::kMinimum, bounded, Index(high));
}

}  // namespace xla
