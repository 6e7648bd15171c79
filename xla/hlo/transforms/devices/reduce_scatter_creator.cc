// The offsets of all devices are compared with their places in the groups.
#include "xla/hlo/transforms/devices/reduce_scatter_creator.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/device_groups.h"

namespace xla {
namespace {

// Offsets of more instructions or larger arrays are not evaluated.
constexpr size_t kMostInstructions = 64;
constexpr int64_t kMostElements = 4096;

bool IsDeviceNumber(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kPartitionId ||
         hlo.opcode() == HloOpcode::kReplicaId;
}

// Returns partition-id and replica-id among what a value is computed from;
// nullopt if there is anything else that differs from device to device, or much
// to compute.
std::optional<std::vector<const HloInstruction*>> DeviceNumbersOf(
    const HloInstruction* value) {
  std::vector<const HloInstruction*> numbers;
  std::vector<const HloInstruction*> pending = {value};
  absl::flat_hash_set<const HloInstruction*> seen = {value};
  while (!pending.empty()) {
    const HloInstruction* hlo = pending.back();
    pending.pop_back();
    if (IsDeviceNumber(*hlo)) {
      numbers.push_back(hlo);
      continue;
    }
    if (!hlo->shape().IsArray() ||
        ShapeUtil::ElementsIn(hlo->shape()) > kMostElements ||
        hlo->opcode() == HloOpcode::kParameter || hlo->HasSideEffect() ||
        !hlo->called_computations().empty() ||
        seen.size() > kMostInstructions) {
      return std::nullopt;
    }
    for (const HloInstruction* operand : hlo->operands()) {
      if (seen.insert(operand).second) pending.push_back(operand);
    }
  }
  return numbers;
}

// Returns the value of the scalar, an integer, on each device; empty if it is
// not known.
std::vector<int64_t> ValueOnDevices(const HloInstruction* scalar,
                                    DeviceCounts counts) {
  const auto numbers = DeviceNumbersOf(scalar);
  if (!numbers.has_value()) return {};
  std::vector<int64_t> values;
  for (int64_t device = 0; device < counts.devices(); ++device) {
    const Literal partition =
        LiteralUtil::CreateR0(U32, device % counts.partitions);
    const Literal replica =
        LiteralUtil::CreateR0(U32, device / counts.partitions);
    absl::flat_hash_map<const HloInstruction*, const LiteralBase*> known;
    for (const HloInstruction* number : *numbers) {
      known[number] =
          number->opcode() == HloOpcode::kPartitionId ? &partition : &replica;
    }
    const absl::StatusOr<Literal> value =
        HloEvaluator().EvaluateWithSubstitutions(
            scalar, known, /*recursively_evaluate_nonconstant_operands=*/true);
    const std::optional<int64_t> integer =
        value.ok() ? value->GetIntegralAsS64({}) : std::nullopt;
    if (!integer.has_value()) return {};
    values.push_back(*integer);
  }
  return values;
}

// Returns the only dimension of which the slice takes a part; -1 if there are
// none or several.
int64_t DimensionOfPart(const HloInstruction& slice) {
  const absl::Span<const int64_t> whole =
      slice.operand(0)->shape().dimensions();
  int64_t found = -1;
  for (size_t d = 0; d < whole.size(); ++d) {
    if (slice.shape().dimensions(d) == whole[d]) continue;
    if (found >= 0) return -1;
    found = d;
  }
  return found;
}

// Whether the member of number i of each group takes part i.
absl::StatusOr<bool> TakesPartOfMember(const HloInstruction& slice,
                                       int64_t dimension) {
  const HloInstruction& all_reduce = *slice.operand(0);
  const HloModuleConfig& config = slice.GetModule()->config();
  const DeviceCounts counts = {config.replica_count(), config.num_partitions()};
  const auto& attrs = all_reduce.attrs<AllReduceAttrs>();
  TF_ASSIGN_OR_RETURN(const CollectiveOpGroupMode mode,
                      GetCollectiveOpGroupMode(attrs.channel_id.has_value(),
                                               attrs.use_global_device_ids));
  const int64_t whole = all_reduce.shape().dimensions(dimension);
  const int64_t part = slice.shape().dimensions(dimension);
  const std::vector<int64_t> offsets =
      ValueOnDevices(slice.operand(1 + dimension), counts);
  if (offsets.empty() || part == 0) return false;
  for (int64_t device = 0; device < counts.devices(); ++device) {
    TF_ASSIGN_OR_RETURN(
        const std::vector<int64_t> group,
        DevicesOfGroup(attrs.replica_groups, mode, counts, device));
    const int64_t place = absl::c_find(group, device) - group.begin();
    const int64_t start = std::clamp<int64_t>(offsets[device], 0, whole - part);
    if (part * static_cast<int64_t>(group.size()) != whole ||
        start != place * part) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<bool> Replace(HloInstruction* slice) {
  if (slice->opcode() != HloOpcode::kDynamicSlice) return false;
  HloInstruction* all_reduce = slice->mutable_operand(0);
  if (all_reduce->opcode() != HloOpcode::kAllReduce ||
      all_reduce->operand_count() != 1 || all_reduce->user_count() != 1 ||
      all_reduce->HasControlDependencies() || slice->HasControlDependencies() ||
      slice->shape().is_dynamic()) {
    return false;
  }
  const int64_t dimension = DimensionOfPart(*slice);
  if (dimension < 0) return false;
  TF_ASSIGN_OR_RETURN(const bool matches, TakesPartOfMember(*slice, dimension));
  if (!matches) return false;
  const auto& from = all_reduce->attrs<AllReduceAttrs>();
  ReduceScatterAttrs attrs;
  attrs.channel_id = from.channel_id;
  attrs.replica_groups = from.replica_groups;
  attrs.constrain_layout = from.constrain_layout;
  attrs.use_global_device_ids = from.use_global_device_ids;
  attrs.dimensions = {dimension};
  HloComputation* computation = slice->parent();
  HloInstruction* scatter = computation->AddInstruction(
      HloInstruction::Create(HloOpcode::kReduceScatter, slice->shape(),
                             {all_reduce->mutable_operand(0)}, std::move(attrs),
                             {all_reduce->to_apply()}));
  scatter->set_metadata(all_reduce->metadata());
  TF_RETURN_IF_ERROR(slice->ReplaceAllUsesWith(scatter));
  TF_RETURN_IF_ERROR(computation->RemoveInstructionAndUnusedOperands(slice));
  return true;
}

}  // namespace

absl::StatusOr<bool> ReduceScatterCreator::RunImpl(HloModule* module) {
  bool changed = false;
  for (const auto& computation : module->computations()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      TF_ASSIGN_OR_RETURN(const bool replaced, Replace(hlo));
      changed |= replaced;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
