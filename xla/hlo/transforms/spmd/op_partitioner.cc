// The part of ComputationPartitioner about ops that are split along their
// factors, and those that every device runs whole.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/partition_rules/partial_values.h"
#include "xla/hlo/transforms/spmd/computation_partitioner.h"
#include "xla/hlo/transforms/spmd/op_sharding.h"
#include "xla/hlo/transforms/spmd/partitioned_call.h"

namespace xla {
namespace {

Shardings ShardingsOf(absl::Span<const PartitionedArray> arrays) {
  Shardings shardings;
  for (const PartitionedArray& array : arrays) {
    shardings.push_back(array.sharding);
  }
  return shardings;
}

bool IsStaticArray(const Shape& shape) {
  return shape.IsArray() && !shape.is_dynamic();
}

}  // namespace

bool ComputationPartitioner::IsLocal(const HloInstruction& hlo,
                                     const Shardings& wanted) const {
  for (const MeshSharding& sharding : wanted) {
    if (!sharding.IsReplicated()) return false;
  }
  for (const HloInstruction* operand : hlo.operands()) {
    for (const PartitionedArray& array : values_.at(operand)) {
      if (!array.sharding.IsReplicated()) return false;
    }
  }
  return true;
}

absl::StatusOr<bool> ComputationPartitioner::SplitOp(const HloInstruction& hlo,
                                                     const Shardings& wanted) {
  if (hlo.HasSideEffect()) return false;
  TF_ASSIGN_OR_RETURN(const std::optional<DimensionFactors> factors,
                      PartitionFactorsOf(hlo));
  if (!factors.has_value() ||
      static_cast<int64_t>(factors->operands.size()) != hlo.operand_count() ||
      factors->results.size() != wanted.size()) {
    return false;
  }
  Arrays operands;
  for (const HloInstruction* operand : hlo.operands()) {
    if (!IsStaticArray(operand->shape())) return false;
    operands.push_back(values_[operand][0]);
  }
  Arrays results;
  const std::vector<const Shape*> shapes = Leaves(hlo.shape());
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!IsStaticArray(*shapes[i])) return false;
    results.push_back({nullptr, *shapes[i], wanted[i]});
  }
  if (results.empty()) return false;
  if (results.size() == 1) KeepPartial(hlo, operands, results[0]);
  const Shardings goals = ShardingsOf(results);
  const AxisList& manual = goals[0].manual;
  const OpRule& rule = RuleFor(hlo.opcode());
  const std::shared_ptr<const DeviceMesh> mesh = wanted[0].mesh;
  const FactorAxes axes =
      ChooseFactorAxes({hlo, *factors, rule, mesh, manual, operands, results});
  AxisList partial;
  for (size_t f = 0; f < axes.size(); ++f) {
    if (rule.Split(hlo, *factors, f) == FactorSplit::kPartial) {
      partial.insert(partial.end(), axes[f].begin(), axes[f].end());
    }
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    MeshSharding needed = ShardingOfFactors(axes, factors->operands[i], mesh);
    needed.manual = manual;
    operands[i].part = Reshard(operands[i], needed);
    operands[i].sharding = std::move(needed);
  }
  Shardings given;
  for (size_t i = 0; i < results.size(); ++i) {
    MeshSharding sharding = ShardingOfFactors(axes, factors->results[i], mesh);
    sharding.manual = manual;
    results[i].sharding = sharding;
    sharding.unreduced = partial;
    given.push_back(std::move(sharding));
  }
  PartitionedOp op{emit_, hlo, *factors, axes, mesh, operands, results};
  HloInstruction* part = nullptr;
  if (rule.emit != nullptr) {
    TF_ASSIGN_OR_RETURN(part, rule.emit(op));
  } else {
    std::vector<HloInstruction*> parts;
    for (const PartitionedArray& operand : operands) {
      parts.push_back(operand.part);
    }
    part = EmitOnParts(op, parts);
  }
  clones_[&hlo] = part;
  module_.names[part->unique_id()] = hlo.name();
  Arrays arrays = ArraysOf(part, hlo.shape(), given);
  for (PartitionedArray& array : arrays) array.reducer = rule.Reducer(hlo);
  arrays = ReshardAll(arrays, goals);
  for (size_t i = 0; i < arrays.size(); ++i) SetSharding(arrays[i], wanted[i]);
  values_[&hlo] = std::move(arrays);
  return true;
}

void ComputationPartitioner::KeepPartial(const HloInstruction& hlo,
                                         Arrays& operands,
                                         PartitionedArray& result) {
  const HloOpcode reducer =
      ReducerOf(result.sharding, result.shape.element_type());
  AxisList kept;
  for (const AxisPart& axis : result.sharding.unreduced) {
    std::vector<bool> are_partial;
    bool is_split = false;
    for (const PartitionedArray& operand : operands) {
      const MeshSharding& sharding = operand.sharding;
      are_partial.push_back(operand.reducer == reducer &&
                            Difference({&axis, 1}, sharding.unreduced).empty());
      is_split |= Overlap(sharding.DimensionAxes(), axis) ||
                  !(*sharding.mesh == *result.sharding.mesh);
    }
    if (is_split) continue;
    const std::vector<bool> keeps =
        OperandsToKeepPartial(hlo, reducer, are_partial);
    if (keeps.empty()) continue;
    for (size_t i = 0; i < keeps.size(); ++i) {
      MeshSharding sharding = operands[i].sharding;
      sharding.unreduced = Difference(sharding.unreduced, {&axis, 1});
      if (keeps[i]) {
        sharding.unreduced.push_back(axis);
        sharding.unreduced_kind = result.sharding.unreduced_kind;
      }
      if (keeps[i] && are_partial[i]) continue;
      operands[i].part = Reshard(operands[i], sharding);
      SetSharding(operands[i], sharding);
    }
    kept.push_back(axis);
  }
  auto keep = [&](MeshSharding& sharding) {
    sharding.unreduced = Difference(sharding.unreduced, kept);
    sharding.manual.insert(sharding.manual.end(), kept.begin(), kept.end());
  };
  for (PartitionedArray& operand : operands) keep(operand.sharding);
  keep(result.sharding);
}

std::vector<HloInstruction*> ComputationPartitioner::WholeOperands(
    const HloInstruction& hlo) {
  std::vector<HloInstruction*> operands;
  for (const HloInstruction* operand : hlo.operands()) {
    Arrays arrays = values_[operand];
    for (PartitionedArray& array : arrays) array.part = Replicate(array);
    operands.push_back(MakeValue(operand->shape(), arrays));
  }
  return operands;
}

absl::Status ComputationPartitioner::RunWhole(const HloInstruction& hlo,
                                              const Shardings& wanted) {
  HloInstruction* whole = Clone(hlo, hlo.shape(), WholeOperands(hlo));
  Shardings given = wanted;
  const std::vector<const Shape*> shapes = Leaves(hlo.shape());
  for (size_t i = 0; i < given.size(); ++i) {
    if (shapes[i]->IsArray() && shapes[i]->is_dynamic() &&
        !given[i].IsReplicated()) {
      return absl::UnimplementedError(absl::StrCat(
          hlo.name(), ": an array with dynamic dimensions cannot be sharded"));
    }
    for (MeshSharding::Dimension& dimension : given[i].dimensions) {
      dimension.axes.clear();
    }
    given[i].unreduced.clear();
  }
  values_[&hlo] = ReshardAll(ArraysOf(whole, hlo.shape(), given), wanted);
  return absl::OkStatus();
}

}  // namespace xla
