// The part of ComputationPartitioner about ops that one device runs for others,
// calls that see parts, and calls that frameworks divide.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/spmd/computation_partitioner.h"
#include "xla/hlo/transforms/spmd/one_device.h"
#include "xla/hlo/transforms/spmd/partitioned_call.h"

namespace xla {
namespace {

// Whether no part has elements beyond the end of a dimension.
bool HasEvenParts(const Shape& shape, const MeshSharding& sharding) {
  for (int64_t d = 0; d < sharding.rank(); ++d) {
    if (shape.dimensions(d) % sharding.PartCount(d) != 0) return false;
  }
  return true;
}

absl::Status CheckStaticArray(const HloInstruction& hlo, const Shape& shape) {
  if (shape.IsArray() && !shape.is_dynamic()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      hlo.name(), ": a framework can only divide calls of static arrays"));
}

}  // namespace

absl::Status ComputationPartitioner::RunOnOneDevice(const HloInstruction& hlo,
                                                    int64_t device,
                                                    const Shardings& wanted) {
  if (device < 0 || device >= emit_.num_partitions()) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo.name(), ": runs on device ", device, " of ",
                     emit_.num_partitions()));
  }
  // In a manual computation this happens once for each value of its axes. The
  // operands know them, since an instruction's one device says nothing of them.
  MeshSharding whole = MeshSharding::Replicated(module_.shardings.mesh(), 0);
  for (const HloInstruction* operand : hlo.operands()) {
    for (const PartitionedArray& array : values_[operand]) {
      if (array.sharding.manual.empty()) continue;
      whole.mesh = array.sharding.mesh;
      whole.manual = array.sharding.manual;
    }
  }
  for (const Shape* leaf : Leaves(hlo.shape())) {
    if (!leaf->IsArray() || leaf->is_static()) continue;
    return absl::UnimplementedError(absl::StrCat(
        hlo.name(), ": one device's array with dynamic dimensions"));
  }
  const std::vector<std::vector<int64_t>> groups =
      GroupsLedBy(device, *whole.mesh, whole.manual);
  Shardings given;
  for (const MeshSharding& sharding : wanted) {
    MeshSharding& one = given.emplace_back(whole);
    one.dimensions.resize(sharding.rank());
  }
  if (groups[0].size() == 1) {
    HloInstruction* clone = Clone(hlo, hlo.shape(), WholeOperands(hlo));
    values_[&hlo] = ArraysOf(clone, hlo.shape(), given);
    return absl::OkStatus();
  }
  HloInstruction* value = RunOnLeaders(emit_, hlo, WholeOperands(hlo), groups);
  clones_[&hlo] = value;
  module_.names[value->unique_id()] = hlo.name();
  Arrays arrays = ArraysOf(value, hlo.shape(), given);
  // What a send or recv gives is for the same device's send-done or recv-done.
  if (hlo.opcode() == HloOpcode::kSend || hlo.opcode() == HloOpcode::kRecv) {
    values_[&hlo] = std::move(arrays);
    return absl::OkStatus();
  }
  std::vector<HloInstruction*> parts;
  for (const PartitionedArray& array : arrays) {
    if (array.shape.IsArray()) parts.push_back(array.part);
  }
  parts = emit_.CollectiveBroadcast(parts, groups);
  size_t next = 0;
  for (PartitionedArray& array : arrays) {
    if (array.shape.IsArray()) array.part = parts[next++];
  }
  values_[&hlo] = std::move(arrays);
  return absl::OkStatus();
}

absl::Status ComputationPartitioner::RunOnParts(const HloInstruction& hlo,
                                                const Shardings& wanted) {
  std::vector<HloInstruction*> operands;
  std::vector<Shardings> shown;
  for (const HloInstruction* operand : hlo.operands()) {
    const Arrays& arrays = values_[operand];
    Shardings& shardings = shown.emplace_back();
    for (const PartitionedArray& array : arrays) {
      MeshSharding& sharding = shardings.emplace_back(array.sharding);
      sharding.unreduced.clear();
      if (HasEvenParts(array.shape, sharding)) continue;
      for (MeshSharding::Dimension& dimension : sharding.dimensions) {
        dimension.axes.clear();
      }
    }
    operands.push_back(
        MakeValue(operand->shape(), ReshardAll(arrays, shardings)));
  }
  HloInstruction* value = Clone(hlo, hlo.shape(), operands);
  auto& layouts =
      value->mutable_attrs<CustomCallAttrs>().operand_layout_constraints;
  for (size_t i = 0; layouts.has_value() && i < layouts->size(); ++i) {
    (*layouts)[i] = PartOfValue((*layouts)[i], shown[i]);
  }
  values_[&hlo] = ArraysOf(value, hlo.shape(), wanted);
  return absl::OkStatus();
}

absl::Status ComputationPartitioner::RunDivided(
    const HloInstruction& hlo, const CustomPartitioner* partitioner,
    const Shardings& wanted) {
  if (partitioner == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo.name(), ": no partitioner is registered for ",
                     hlo.attrs<CustomCallAttrs>().custom_call_target));
  }
  Arrays operands;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(CheckStaticArray(hlo, operand->shape()));
    operands.push_back(values_[operand][0]);
  }
  for (const Shape* result : Leaves(hlo.shape())) {
    TF_RETURN_IF_ERROR(CheckStaticArray(hlo, *result));
  }
  TF_ASSIGN_OR_RETURN(const DividedCall divided,
                      DivideCall(hlo, *partitioner, operands, wanted,
                                 module_.module, module_.state));
  std::vector<HloInstruction*> parts;
  for (size_t i = 0; i < operands.size(); ++i) {
    parts.push_back(Reshard(operands[i], divided.operands[i]));
  }
  HloInstruction* call =
      emit_.Add(HloOpcode::kCall, divided.program->root_instruction()->shape(),
                parts, {}, {divided.program});
  clones_[&hlo] = call;
  values_[&hlo] =
      ReshardAll(ArraysOf(call, hlo.shape(), divided.results), wanted);
  return absl::OkStatus();
}

}  // namespace xla
