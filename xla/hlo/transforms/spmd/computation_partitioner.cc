// Visits instructions in order; each has arrays in the shardings that it says.
#include "xla/hlo/transforms/spmd/computation_partitioner.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/sharding/tile_sharding.h"
#include "xla/hlo/transforms/partition_rules/partial_values.h"
#include "xla/hlo/transforms/resharding/resharding.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"
#include "xla/hlo/transforms/spmd/one_device.h"
#include "xla/hlo/transforms/spmd/partitioned_call.h"
#include "xla/hlo/transforms/spmd/slice_join.h"

namespace xla {
namespace {

// The shape of the value whose arrays are parts of those of `whole`.
Shape PartOfValue(const Shape& whole, const Shardings& shardings,
                  size_t& next) {
  if (!whole.IsTuple()) return PartShape(whole, shardings[next++]);
  std::vector<Shape> parts;
  for (const Shape& element : whole.tuple_shapes()) {
    parts.push_back(PartOfValue(element, shardings, next));
  }
  return ShapeUtil::MakeTupleShape(parts);
}

// The leading axes of a list that are among `some`.
AxisList LeadingAxes(const AxisList& list, const AxisList& some) {
  AxisList leading;
  for (const AxisPart& axis : list) {
    if (!Overlap(some, axis)) break;
    leading.push_back(axis);
  }
  return leading;
}

}  // namespace

Shape PartOfValue(const Shape& whole, const Shardings& shardings) {
  size_t next = 0;
  return PartOfValue(whole, shardings, next);
}

ComputationPartitioner::ComputationPartitioner(PartitionedModule& module,
                                               HloComputation* target)
    : module_(module), emit_(target, &module.state) {}

absl::StatusOr<HloComputation*> ComputationPartitioner::Partition(
    PartitionedModule& module, const HloComputation& source,
    absl::Span<const Shardings> parameters, const Shardings& root) {
  auto owned = std::make_unique<HloComputation>(
      module.module->UniqueComputationName(source.name()));
  owned->SetExecutionThread(source.execution_thread());
  HloComputation* target =
      module.module->AddEmbeddedComputation(std::move(owned));
  ComputationPartitioner partitioner(module, target);
  partitioner.parameters_ = parameters;
  for (const HloInstruction* parameter : source.parameter_instructions()) {
    partitioner.AddParameter(*parameter);
  }
  for (const HloInstruction* hlo : source.MakeInstructionPostOrder()) {
    TF_RETURN_IF_ERROR(partitioner.Visit(*hlo));
  }
  const HloInstruction* result = source.root_instruction();
  target->set_root_instruction(partitioner.MakeValue(
      result->shape(),
      partitioner.ReshardAll(partitioner.values_[result], root)));
  partitioner.KeepControlDependencies(source);
  TF_RETURN_IF_ERROR(partitioner.RemoveUnused());
  TF_RETURN_IF_ERROR(partitioner.emit_.status());
  return target;
}

void ComputationPartitioner::AddParameter(const HloInstruction& source) {
  const int64_t number = source.parameter_number();
  const Shardings& shardings = parameters_[number];
  HloInstruction* parameter =
      emit_.computation()->AddInstruction(HloInstruction::CreateParameter(
          number, PartOfValue(source.shape(), shardings), source.name()));
  parameter->CopyAnnotationsFrom(source);
  parameter->clear_sharding();
  module_.names[parameter->unique_id()] = source.name();
  values_[&source] = ArraysOf(parameter, source.shape(), shardings);
}

absl::Status ComputationPartitioner::Visit(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kParameter) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const Shardings wanted, module_.shardings.Of(hlo));
  switch (hlo.opcode()) {
    case HloOpcode::kTuple: {
      Arrays all;
      for (const HloInstruction* operand : hlo.operands()) {
        const Arrays& arrays = values_[operand];
        all.insert(all.end(), arrays.begin(), arrays.end());
      }
      values_[&hlo] = ReshardAll(all, wanted);
      return absl::OkStatus();
    }
    case HloOpcode::kGetTupleElement: {
      const int first =
          FirstLeafOfElement(hlo.operand(0)->shape(), hlo.tuple_index());
      const Arrays& all = values_[hlo.operand(0)];
      const Arrays some(all.begin() + first,
                        all.begin() + first + LeafCount(hlo.shape()));
      values_[&hlo] = ReshardAll(some, wanted);
      return absl::OkStatus();
    }
    case HloOpcode::kConstant:
      return VisitConstant(hlo, wanted);
    case HloOpcode::kWhile:
      return VisitWhile(hlo, wanted);
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
      return VisitBranches(hlo, wanted);
    default:
      return VisitOp(hlo, wanted);
  }
}

absl::Status ComputationPartitioner::VisitOp(const HloInstruction& hlo,
                                             const Shardings& wanted) {
  const ShardingCall call = ShardingCallOf(hlo);
  if (call == ShardingCall::kSharding || hlo.opcode() == HloOpcode::kDomain) {
    values_[&hlo] = ReshardAll(values_[hlo.operand(0)], wanted);
    return absl::OkStatus();
  }
  if (call == ShardingCall::kFullToShard) return EnterManual(hlo, wanted[0]);
  if (call == ShardingCall::kShardToFull) return LeaveManual(hlo, wanted[0]);
  if (IsPartitionedCallback(hlo)) return RunOnParts(hlo, wanted);
  if (IsShardingInspection(hlo)) {
    const Arrays& arrays = values_[hlo.operand(0)];
    TF_RETURN_IF_ERROR(
        InspectSharding(hlo, TilesOfMeshSharding(arrays[0].sharding)));
    values_[&hlo] = ReshardAll(arrays, wanted);
    return absl::OkStatus();
  }
  if (MayRunOnOneDevice(hlo)) {
    TF_ASSIGN_OR_RETURN(const std::optional<int64_t> device,
                        module_.shardings.OnlyDeviceOf(hlo));
    if (device.has_value()) return RunOnOneDevice(hlo, *device, wanted);
  }
  if (NeedsPartitioner(hlo)) {
    const std::shared_ptr<const CustomPartitioner> partitioner =
        FindCustomPartitioner(hlo.attrs<CustomCallAttrs>().custom_call_target);
    return RunDivided(hlo, partitioner.get(), wanted);
  }
  if (hlo.opcode() == HloOpcode::kOptimizationBarrier) {
    const Arrays arrays = ReshardAll(values_[hlo.operand(0)], wanted);
    HloInstruction* barrier = Clone(hlo, PartOfValue(hlo.shape(), wanted),
                                    {MakeValue(hlo.shape(), arrays)});
    values_[&hlo] = ArraysOf(barrier, hlo.shape(), wanted);
    return absl::OkStatus();
  }
  if (hlo.opcode() == HloOpcode::kSlice) {
    TF_ASSIGN_OR_RETURN(const bool is_joined, IsJoined(hlo));
    if (is_joined) return absl::OkStatus();
  }
  if (const HloInstruction* source = SourceOfJoin(hlo);
      source != nullptr &&
      CanJoin(values_[source][0].sharding, hlo, wanted[0])) {
    HloInstruction* part =
        EmitJoin(emit_, hlo, values_[source][0].part, wanted[0]);
    clones_[&hlo] = part;
    values_[&hlo] = ArraysOf(part, hlo.shape(), wanted);
    return absl::OkStatus();
  }
  if (!IsLocal(hlo, wanted)) {
    TF_ASSIGN_OR_RETURN(const bool is_split, SplitOp(hlo, wanted));
    if (is_split) return absl::OkStatus();
  }
  return RunWhole(hlo, wanted);
}

absl::StatusOr<bool> ComputationPartitioner::IsJoined(
    const HloInstruction& slice) {
  if (slice.user_count() != 1) return false;
  const HloInstruction& join = *slice.users()[0];
  const HloInstruction* source = SourceOfJoin(join);
  if (source == nullptr || &slice == slice.parent()->root_instruction()) {
    return false;
  }
  TF_ASSIGN_OR_RETURN(const Shardings wanted, module_.shardings.Of(join));
  return CanJoin(values_[source][0].sharding, join, wanted[0]);
}

absl::Status ComputationPartitioner::VisitConstant(const HloInstruction& hlo,
                                                   const Shardings& wanted) {
  if (!hlo.shape().IsArray() || wanted[0].IsReplicated()) {
    return RunWhole(hlo, wanted);
  }
  const LiteralSlice value(hlo.literal());
  if (value.IsAllFirst() && ShapeUtil::ElementsIn(hlo.shape()) > 0) {
    const Shape part = PartShape(hlo.shape(), wanted[0]);
    HloInstruction* scalar =
        emit_.Constant(LiteralUtil::GetFirstScalarLiteral(hlo.literal()));
    MeshSharding given = wanted[0];
    given.unreduced.clear();
    const Arrays arrays = {
        {emit_.Splat(scalar, part.dimensions()), hlo.shape(), given}};
    values_[&hlo] = ReshardAll(arrays, wanted);
    return absl::OkStatus();
  }
  return RunWhole(hlo, wanted);
}

absl::Status ComputationPartitioner::VisitWhile(const HloInstruction& loop,
                                                const Shardings& carry) {
  HloInstruction* operand =
      MakeValue(loop.shape(), ReshardAll(values_[loop.operand(0)], carry));
  const std::vector<Shardings> parameters = {carry};
  const HloInstruction* predicate = loop.while_condition()->root_instruction();
  TF_ASSIGN_OR_RETURN(Shardings whole, module_.shardings.Of(*predicate));
  TF_ASSIGN_OR_RETURN(
      HloComputation * condition,
      Partition(module_, *loop.while_condition(), parameters, whole));
  TF_ASSIGN_OR_RETURN(
      HloComputation * body,
      Partition(module_, *loop.while_body(), parameters, carry));
  HloInstruction* clone =
      Clone(loop, PartOfValue(loop.shape(), carry), {operand});
  clone->ReplaceCalledComputations({condition, body});
  values_[&loop] = ArraysOf(clone, loop.shape(), carry);
  return absl::OkStatus();
}

absl::Status ComputationPartitioner::VisitBranches(const HloInstruction& hlo,
                                                   const Shardings& wanted) {
  const bool is_call = hlo.opcode() == HloOpcode::kCall;
  std::vector<HloInstruction*> operands;
  if (!is_call) operands.push_back(Replicate(values_[hlo.operand(0)][0]));
  std::vector<HloComputation*> computations;
  for (const HloComputation* called : hlo.called_computations()) {
    std::vector<Shardings> parameters;
    for (const HloInstruction* parameter : called->parameter_instructions()) {
      TF_ASSIGN_OR_RETURN(Shardings shardings,
                          module_.shardings.Of(*parameter));
      const HloInstruction* operand = hlo.operand(operands.size());
      operands.push_back(
          MakeValue(operand->shape(), ReshardAll(values_[operand], shardings)));
      parameters.push_back(std::move(shardings));
    }
    TF_ASSIGN_OR_RETURN(HloComputation * part,
                        Partition(module_, *called, parameters, wanted));
    computations.push_back(part);
  }
  HloInstruction* clone =
      Clone(hlo, PartOfValue(hlo.shape(), wanted), operands);
  clone->ReplaceCalledComputations(computations);
  values_[&hlo] = ArraysOf(clone, hlo.shape(), wanted);
  return absl::OkStatus();
}

absl::Status ComputationPartitioner::EnterManual(const HloInstruction& hlo,
                                                 const MeshSharding& wanted) {
  PartitionedArray array = values_[hlo.operand(0)][0];
  const AxisList entered = Difference(wanted.manual, array.sharding.manual);
  MeshSharding outside = wanted;
  outside.manual = array.sharding.manual;
  // What is partial along an axis that is entered is the body's own value.
  AxisList kept = Difference(array.sharding.unreduced, entered);
  kept = Difference(array.sharding.unreduced, kept);
  outside.unreduced = wanted.unreduced;
  if (!kept.empty()) outside.unreduced_kind = array.sharding.unreduced_kind;
  outside.unreduced.insert(outside.unreduced.end(), kept.begin(), kept.end());
  for (int64_t d = 0; d < outside.rank(); ++d) {
    AxisList axes = LeadingAxes(array.sharding.dimensions[d].axes, entered);
    Append(wanted.dimensions[d].axes, axes);
    outside.dimensions[d].axes = std::move(axes);
  }
  return CrossBorder(hlo, Reshard(array, outside), wanted);
}

absl::Status ComputationPartitioner::LeaveManual(const HloInstruction& hlo,
                                                 const MeshSharding& wanted) {
  PartitionedArray array = values_[hlo.operand(0)][0];
  const AxisList left = Difference(array.sharding.manual, wanted.manual);
  MeshSharding inside = array.sharding;
  for (int64_t d = 0; d < inside.rank(); ++d) {
    const AxisList& axes = wanted.dimensions[d].axes;
    inside.dimensions[d].axes = WithoutPrefix(axes, LeadingAxes(axes, left));
  }
  inside.unreduced = Difference(wanted.unreduced, left);
  return CrossBorder(hlo, Reshard(array, inside), wanted);
}

absl::Status ComputationPartitioner::CrossBorder(const HloInstruction& hlo,
                                                 HloInstruction* part,
                                                 const MeshSharding& wanted) {
  const Shape result = PartShape(hlo.shape(), wanted);
  if (!ShapeUtil::Compatible(part->shape(), result)) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo.name(), ": the operand's parts are ",
                     ShapeUtil::HumanString(part->shape()), ", the result's ",
                     ShapeUtil::HumanString(result)));
  }
  PartitionedArray array = {part, hlo.shape()};
  SetSharding(array, wanted);
  values_[&hlo] = Arrays(1, std::move(array));
  return absl::OkStatus();
}

HloInstruction* ComputationPartitioner::Reshard(const PartitionedArray& array,
                                                const MeshSharding& to) {
  if (!array.shape.IsArray()) return array.part;
  HloOpcode reducer = array.reducer;
  if (!to.unreduced.empty() &&
      reducer != ReducerOf(to, array.shape.element_type())) {
    if (!array.sharding.unreduced.empty()) return ChangeReducer(array, to);
    reducer = ReducerOf(to, array.shape.element_type());
  }
  if (array.sharding == to) return array.part;
  // One part may stand for several arrays, of 15 and of 16 rows for example.
  std::vector<Resharded>& made = reshards_[array.part];
  for (const Resharded& one : made) {
    if (one.to == to && one.of.sharding == array.sharding &&
        one.of.reducer == array.reducer &&
        ShapeUtil::Equal(one.of.shape, array.shape)) {
      return one.part;
    }
  }
  HloInstruction* part =
      EmitReshard(emit_, array.part, array.shape, reducer,
                  PlanReshard(array.shape, array.sharding, to));
  made.push_back({array, to, part});
  return part;
}

HloInstruction* ComputationPartitioner::ChangeReducer(
    const PartitionedArray& array, const MeshSharding& to) {
  PartitionedArray reduced = array;
  reduced.sharding = to;
  reduced.sharding.unreduced.clear();
  reduced.part = Reshard(array, reduced.sharding);
  return Reshard(reduced, to);
}

HloInstruction* ComputationPartitioner::Replicate(
    const PartitionedArray& array) {
  MeshSharding whole =
      MeshSharding::Replicated(array.sharding.mesh, array.sharding.rank());
  whole.manual = array.sharding.manual;
  return Reshard(array, whole);
}

ComputationPartitioner::Arrays ComputationPartitioner::ReshardAll(
    const Arrays& arrays, const Shardings& to) {
  Arrays result;
  for (size_t i = 0; i < arrays.size(); ++i) {
    PartitionedArray array = arrays[i];
    array.part = Reshard(array, to[i]);
    SetSharding(array, to[i]);
    result.push_back(std::move(array));
  }
  return result;
}

HloInstruction* ComputationPartitioner::MakeValue(const Shape& shape,
                                                  const Arrays& arrays) {
  size_t next = 0;
  return MakeValue(shape, arrays, next);
}

HloInstruction* ComputationPartitioner::MakeValue(const Shape& shape,
                                                  const Arrays& arrays,
                                                  size_t& next) {
  if (!shape.IsTuple()) return arrays[next++].part;
  std::vector<HloInstruction*> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(MakeValue(element, arrays, next));
  }
  return emit_.Tuple(elements);
}

ComputationPartitioner::Arrays ComputationPartitioner::ArraysOf(
    HloInstruction* value, const Shape& whole, const Shardings& shardings) {
  // Values of nested tuples, in pre-order.
  std::vector<std::pair<HloInstruction*, const Shape*>> stack = {
      {value, &whole}};
  Arrays arrays;
  while (!stack.empty()) {
    const auto [part, shape] = stack.back();
    stack.pop_back();
    if (!shape->IsTuple()) {
      PartitionedArray& array = arrays.emplace_back();
      array.part = part;
      array.shape = *shape;
      SetSharding(array, shardings[arrays.size() - 1]);
      continue;
    }
    const int64_t count = shape->tuple_shapes().size();
    std::vector<HloInstruction*> elements;
    for (int64_t i = 0; i < count; ++i) {
      elements.push_back(emit_.Element(part, i));
    }
    for (int64_t i = count; i-- > 0;) {
      stack.push_back({elements[i], &shape->tuple_shapes(i)});
    }
  }
  return arrays;
}

HloInstruction* ComputationPartitioner::Clone(
    const HloInstruction& hlo, Shape shape,
    absl::Span<HloInstruction* const> operands) {
  std::unique_ptr<HloInstruction> clone =
      hlo.CloneWithNewOperands(std::move(shape), operands);
  clone->clear_sharding();
  HloInstruction* added =
      emit_.computation()->AddInstruction(std::move(clone), hlo.name());
  clones_[&hlo] = added;
  return added;
}

absl::Status ComputationPartitioner::RemoveUnused() {
  HloComputation* target = emit_.computation();
  std::vector<HloInstruction*> order = target->MakeInstructionPostOrder();
  for (size_t i = order.size(); i-- > 0;) {
    HloInstruction* hlo = order[i];
    if (hlo->user_count() > 0 || hlo->IsRoot() || hlo->HasSideEffect() ||
        hlo->HasControlDependencies() ||
        hlo->opcode() == HloOpcode::kParameter) {
      continue;
    }
    TF_RETURN_IF_ERROR(target->RemoveInstruction(hlo));
  }
  return absl::OkStatus();
}

void ComputationPartitioner::KeepControlDependencies(
    const HloComputation& source) {
  for (const auto& hlo : source.instructions()) {
    auto before = clones_.find(hlo);
    if (before == clones_.end()) continue;
    for (const HloInstruction* successor : hlo->control_successors()) {
      auto after = clones_.find(successor);
      if (after == clones_.end()) continue;
      before->second->AddControlDependencyTo(after->second).IgnoreError();
    }
  }
}

}  // namespace xla
