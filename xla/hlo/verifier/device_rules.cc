// Rules for what an instruction says of devices: where its arrays are, how they
// are divided, and which devices take part in it.
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

// Returns use_global_device_ids; nullopt for ops that do not have it.
std::optional<bool> GlobalDeviceIds(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
      return hlo.use_global_device_ids();
    default:
      return std::nullopt;
  }
}

// Whether the groups of this op name all devices. Those of a
// collective-broadcast need not.
bool HasGroupsOfAllDevices(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllToAll:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kReduceScatter:
      return true;
    default:
      return false;
  }
}

// Returns how many numbers there are for groups of a mode.
int64_t DevicesOfMode(const HloModuleConfig& config,
                      CollectiveOpGroupMode mode) {
  switch (mode) {
    case COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION:
      return config.num_partitions();
    case COLLECTIVE_OP_GROUP_MODE_FLATTENED_ID:
      return config.replica_count() * config.num_partitions();
    default:
      return config.replica_count();
  }
}

}  // namespace

absl::Status VerifySharding(const HloInstruction& instruction,
                            bool with_devices) {
  if (!instruction.has_sharding()) return absl::OkStatus();
  const HloModuleConfig& config = instruction.parent()->parent()->config();
  std::optional<int64_t> devices;
  if (with_devices && config.use_spmd_partitioning() &&
      config.num_partitions() > 1) {
    devices = config.num_partitions();
  }
  // sharding_c1: a sharding fits the shape, and the module's partitions.
  const absl::Status fits =
      instruction.sharding().Validate(instruction.shape(), devices);
  if (fits.ok()) return fits;
  return RuleError(
      "sharding_c1",
      absl::StrCat("Invalid sharding ", instruction.sharding().ToString(),
                   " of ", ShapeUtil::HumanString(instruction.shape()), ": ",
                   fits.message()));
}

absl::Status VerifyGroupsOfModule(const HloInstruction& instruction) {
  if (!HasGroupsOfAllDevices(instruction.opcode())) return absl::OkStatus();
  int64_t named = 0;
  for (const ReplicaGroup& group : instruction.replica_groups()) {
    named += group.replica_ids_size();
  }
  if (named == 0) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(
      const CollectiveOpGroupMode mode,
      GetCollectiveOpGroupMode(instruction.channel_id().has_value(),
                               GlobalDeviceIds(instruction)));
  // module_groups_c1: groups name each device of the module, unless there is
  // one, as in programs that leave the numbers open.
  const int64_t devices =
      DevicesOfMode(instruction.parent()->parent()->config(), mode);
  if (devices == 1 || named == devices) return absl::OkStatus();
  return RuleError("module_groups_c1",
                   absl::StrCat("replica_groups should name ", devices,
                                " devices, but have ", named));
}

absl::Status VerifyDeviceMemory(const HloInstruction& instruction) {
  return ShapeUtil::ForEachSubshapeWithStatus(
      instruction.shape(),
      [](const Shape& part, const ShapeIndex& index) -> absl::Status {
        if (!part.IsArray() || !part.has_layout() ||
            part.layout().memory_space() != Layout::kHostMemorySpace) {
          return absl::OkStatus();
        }
        // instruction_c8: arrays are in the memory of a device.
        return RuleError(
            "instruction_c8",
            absl::StrCat("it is in the host's memory space at ",
                         index.ToString(), ": ", part.ToString(true)));
      });
}

}  // namespace xla
