// Keeps the names of collectives, by which processes know those without
// channels.
#include "xla/hlo/transforms/buffers/collective_pairs.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/channels.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/hlo/ops/device/permuted_slices.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// What a collective's attributes say of its groups.
struct Grouping {
  ReplicaGroups groups;
  absl::StatusOr<CollectiveOpGroupMode> mode;
};

// Returns nullopt for what is no collective that a pair can be made of.
std::optional<Grouping> GroupingOf(const HloInstruction& hlo) {
  const auto of = [](const auto& attrs, std::optional<bool> global_ids) {
    return Grouping{
        attrs.replica_groups,
        GetCollectiveOpGroupMode(attrs.channel_id.has_value(), global_ids)};
  };
  const auto with_ids = [&](const auto& attrs) {
    return of(attrs, attrs.use_global_device_ids);
  };
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
      return with_ids(hlo.attrs<AllGatherAttrs>());
    case HloOpcode::kAllReduce:
      return with_ids(hlo.attrs<AllReduceAttrs>());
    case HloOpcode::kReduceScatter:
      return with_ids(hlo.attrs<ReduceScatterAttrs>());
    case HloOpcode::kAllToAll:
      return of(hlo.attrs<AllToAllAttrs>(), std::nullopt);
    case HloOpcode::kCollectiveBroadcast:
      return of(hlo.attrs<CollectiveBroadcastAttrs>(), std::nullopt);
    case HloOpcode::kCollectivePermute: {
      const auto& attrs = hlo.attrs<CollectivePermuteAttrs>();
      if (IsInPlace(attrs) || attrs.source_target_pairs.empty()) {
        return std::nullopt;
      }
      return Grouping{GroupOfPairs(attrs.source_target_pairs),
                      attrs.channel_id.has_value()
                          ? COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION
                          : COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA};
    }
    default:
      return std::nullopt;
  }
}

absl::Status MovePredecessors(Hlo from, Hlo to) {
  for (const Hlo before : std::vector<Hlo>(from->control_predecessors())) {
    TF_RETURN_IF_ERROR(before->RemoveControlDependencyTo(from));
    TF_RETURN_IF_ERROR(before->AddControlDependencyTo(to));
  }
  return absl::OkStatus();
}

absl::Status MoveSuccessors(Hlo from, Hlo to) {
  for (const Hlo after : std::vector<Hlo>(from->control_successors())) {
    TF_RETURN_IF_ERROR(from->RemoveControlDependencyTo(after));
    TF_RETURN_IF_ERROR(to->AddControlDependencyTo(after));
  }
  return absl::OkStatus();
}

}  // namespace

bool SpansProcesses(const HloInstruction& hlo) {
  const std::optional<Grouping> grouping = GroupingOf(hlo);
  if (!grouping.has_value() || !grouping->mode.ok()) return false;
  const HloModuleConfig& config = hlo.GetModule()->config();
  const DeviceCounts counts = {config.replica_count(), config.num_partitions()};
  const std::vector<int32_t>& processes = config.process_of_device();
  const auto process_of = [&](int64_t device) -> int64_t {
    return device < static_cast<int64_t>(processes.size()) ? processes[device]
                                                           : device;
  };
  for (int64_t device = 0; device < counts.devices(); ++device) {
    const absl::StatusOr<std::vector<int64_t>> group =
        DevicesOfGroup(grouping->groups, *grouping->mode, counts, device);
    if (!group.ok()) return false;
    if (absl::c_any_of(*group, [&](int64_t member) {
          return process_of(member) != process_of(device);
        })) {
      return true;
    }
  }
  return false;
}

absl::StatusOr<HloInstruction*> MakeCollectivePair(HloInstruction* hlo) {
  HloModule* module = hlo->GetModule();
  const std::string name = hlo->name();
  HloComputation* called = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>(absl::StrCat(name, "_computation")));
  const HloInstruction::InstructionVector operands = hlo->operands();
  std::vector<Hlo> parameters;
  std::vector<Shape> shapes;
  for (const Hlo operand : operands) {
    const std::string parameter = absl::StrCat("param_", parameters.size());
    parameters.push_back(called->AddInstruction(
        HloInstruction::CreateParameter(static_cast<int64_t>(parameters.size()),
                                        operand->shape(), parameter),
        parameter));
    shapes.push_back(operand->shape());
  }
  Hlo op = called->AddInstruction(
      hlo->CloneWithNewOperands(hlo->shape(), parameters), name);
  op->CopyAnnotationsFrom(*hlo);
  called->set_root_instruction(op);
  HloComputation* computation = hlo->parent();
  Hlo start = computation->AddInstruction(
      HloInstruction::Create(HloOpcode::kAsyncStart,
                             ShapeUtil::MakeTupleShape(
                                 {ShapeUtil::MakeTupleShape(shapes),
                                  hlo->shape(), ShapeUtil::MakeShape(U32, {})}),
                             operands, AsyncStartAttrs(), {called}),
      absl::StrCat(HloOpcodeString(hlo->opcode()), "-start"));
  start->set_metadata(hlo->metadata());
  Hlo done = computation->AddInstruction(
      HloInstruction::Create(HloOpcode::kAsyncDone, hlo->shape(), {start},
                             AsyncAttrs()),
      absl::StrCat(HloOpcodeString(hlo->opcode()), "-done"));
  done->set_metadata(hlo->metadata());
  TF_RETURN_IF_ERROR(MovePredecessors(hlo, start));
  TF_RETURN_IF_ERROR(MoveSuccessors(hlo, done));
  TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(done));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
  // Processes that run it without a pair know it by its name.
  op->SetName(name);
  return start;
}

absl::StatusOr<HloInstruction*> UndoCollectivePair(HloInstruction* start) {
  HloComputation* computation = start->parent();
  HloComputation* called = start->called_computations()[0];
  Hlo done = start->users()[0];
  const HloInstruction::InstructionVector operands = start->operands();
  const HloInstruction* op = called->root_instruction();
  const std::string name = op->name();
  Hlo hlo = computation->AddInstruction(
      op->CloneWithNewOperands(op->shape(), operands), name);
  hlo->CopyAnnotationsFrom(*op);
  TF_RETURN_IF_ERROR(MovePredecessors(start, hlo));
  TF_RETURN_IF_ERROR(MoveSuccessors(done, hlo));
  TF_RETURN_IF_ERROR(done->ReplaceAllUsesWith(hlo));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(done));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(start));
  TF_RETURN_IF_ERROR(computation->parent()->RemoveEmbeddedComputation(called));
  hlo->SetName(name);
  return hlo;
}

bool SeparateChannels(absl::Span<HloComputation* const> computations) {
  if (computations.empty()) return false;
  HloModule& module = *computations[0]->parent();
  absl::flat_hash_map<int64_t, int> uses;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (const auto channel = ChannelIdOf(*hlo)) ++uses[*channel];
    }
  }
  const int64_t largest = LargestChannelId(module);
  int64_t last = largest;
  for (HloComputation* computation : computations) {
    for (const Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (!SpansProcesses(*hlo)) continue;
      const std::optional<int64_t> channel = ChannelIdOf(*hlo);
      if (channel.has_value() && uses[*channel] > 1) SetChannelId(*hlo, ++last);
    }
  }
  return last > largest;
}

}  // namespace xla
