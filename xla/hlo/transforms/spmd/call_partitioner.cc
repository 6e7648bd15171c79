// The part of ComputationPartitioner about calls that run on one device, or
// that frameworks divide.
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
#include "xla/hlo/transforms/spmd/partitioned_call.h"

namespace xla {
namespace {

// Values that change nothing where they are added; tokens.
HloInstruction* MakeNothing(HloBuilder& emit, const Shape& shape) {
  if (shape.IsToken()) {
    return emit.Add(HloOpcode::kAfterAll, ShapeUtil::MakeTokenShape(), {});
  }
  if (shape.IsArray()) {
    HloInstruction* none =
        emit.Constant(ReductionIdentity(HloOpcode::kAdd, shape.element_type()));
    return emit.Splat(none, shape.dimensions());
  }
  std::vector<HloInstruction*> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(MakeNothing(emit, element));
  }
  return emit.Tuple(elements);
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
  const std::vector<HloInstruction*> operands = WholeOperands(hlo);
  HloInstruction* tuple = emit_.Tuple(operands);
  auto make_branch = [&](absl::string_view name, auto fill) {
    HloComputation* branch =
        module_.module->AddEmbeddedComputation(std::make_unique<HloComputation>(
            module_.module->UniqueComputationName(name)));
    HloBuilder emit(branch);
    HloInstruction* parameter = branch->AddInstruction(
        HloInstruction::CreateParameter(0, tuple->shape(), "operands"));
    branch->set_root_instruction(fill(emit, parameter));
    return branch;
  };
  HloComputation* runs = make_branch(
      "on_the_device", [&](HloBuilder& emit, HloInstruction* parameter) {
        std::vector<HloInstruction*> elements;
        for (size_t i = 0; i < operands.size(); ++i) {
          elements.push_back(emit.Element(parameter, i));
        }
        std::unique_ptr<HloInstruction> clone =
            hlo.CloneWithNewOperands(hlo.shape(), elements);
        clone->clear_sharding();
        return emit.computation()->AddInstruction(std::move(clone));
      });
  HloComputation* waits =
      make_branch("elsewhere", [&](HloBuilder& emit, HloInstruction*) {
        return MakeNothing(emit, hlo.shape());
      });
  std::vector<int64_t> is_device(emit_.num_partitions(), 0);
  is_device[device] = 1;
  HloInstruction* is_here = emit_.Compare(
      ComparisonDirection::kNe, emit_.PerPartition(is_device), emit_.Index(0));
  HloInstruction* value = emit_.Add(HloOpcode::kConditional, hlo.shape(),
                                    {is_here, tuple, tuple}, {}, {runs, waits});
  clones_[&hlo] = value;
  Shardings given = wanted;
  const AxisList all = module_.shardings.mesh()->AllAxes();
  for (NamedSharding& sharding : given) {
    sharding =
        NamedSharding::Replicated(module_.shardings.mesh(), sharding.rank());
    sharding.unreduced = all;
  }
  Arrays arrays = ArraysOf(value, hlo.shape(), given);
  for (PartitionedArray& array : arrays) {
    if (!array.shape.IsArray()) array.sharding.unreduced.clear();
    if (array.shape.IsArray() && array.shape.element_type() == PRED) {
      array.reducer = HloOpcode::kOr;
    }
  }
  values_[&hlo] = ReshardAll(arrays, wanted);
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
