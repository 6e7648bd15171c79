// PjRtTopologyDescription: the devices of a client without the client.
#ifndef XLA_PJRT_PJRT_TOPOLOGY_H_
#define XLA_PJRT_PJRT_TOPOLOGY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/pjrt/pjrt_common.h"
#include "xla/pjrt/pjrt_device.h"

namespace xla {

class PjRtCompiler;

// Equal for equal names.
PjRtPlatformId PlatformIdOf(absl::string_view platform_name);

// A process of a job: how many devices it has, and on which of the job's
// machines it is.
struct PjRtProcess {
  int num_devices = 1;
  int partition_index = 0;
};

// Immutable.
class PjRtTopologyDescription {
 public:
  // Errors: InvalidArgument for a number of devices below 1 or above
  // PjRtClient::kMaxDevices.
  static absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>> Create(
      std::string platform_name, int64_t num_devices);
  // The devices of several processes, numbered process after process. Errors:
  // InvalidArgument, as above for the sum, and for a process without devices.
  static absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>> Create(
      std::string platform_name, absl::Span<const PjRtProcess> processes);
  // Parses the output of Serialize. Errors: InvalidArgument for anything else.
  static absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>> Deserialize(
      absl::string_view serialized);

  PjRtPlatformId platform_id() const;
  absl::string_view platform_name() const { return platform_name_; }
  absl::string_view platform_version() const;
  // The devices of all processes, by id.
  absl::Span<const PjRtDeviceDescription> devices() const { return devices_; }
  std::vector<std::unique_ptr<const PjRtDeviceDescription>> DeviceDescriptions()
      const;
  // None of its own: GetPjRtCompiler finds one by the platform's name.
  std::optional<PjRtCompiler*> compiler() const { return std::nullopt; }
  bool is_subslice_topology() const { return false; }

  // A chip is a device, which is also its only core. What is said of each
  // process needs as many devices in all: FailedPrecondition.
  absl::StatusOr<int> ProcessCount() const {
    return processes_.empty() ? 1 : static_cast<int>(processes_.size());
  }
  absl::StatusOr<int> ChipsPerProcess() const;
  absl::StatusOr<int> ChipCount() const {
    return static_cast<int>(devices_.size());
  }
  absl::StatusOr<int> CoreCountOfDefaultType() const { return ChipCount(); }
  absl::StatusOr<int> CoreCountOfDefaultTypePerChip() const { return 1; }
  absl::StatusOr<int> CoreCountOfDefaultTypePerProcess() const {
    return ChipsPerProcess();
  }
  absl::StatusOr<int> LogicalDeviceCountOfDefaultType() const {
    return ChipCount();
  }
  absl::StatusOr<int> LogicalDeviceCountOfDefaultTypePerChip() const {
    return 1;
  }
  absl::StatusOr<int> LogicalDeviceCountOfDefaultTypePerProcess() const {
    return ChipsPerProcess();
  }
  absl::StatusOr<PjRtIdContainer<PjRtProcessId>> ProcessIds() const;
  // Errors: InvalidArgument for a process that does not exist.
  absl::StatusOr<PjRtIdContainer<PjRtGlobalDeviceId>>
  LogicalDeviceOfDefaultTypeIdsOnProcess(PjRtProcessId process_id) const;
  // The process, and the number of the device in it. Errors: InvalidArgument
  // for a device that does not exist.
  absl::StatusOr<std::pair<PjRtProcessId, int>>
  ProcessIdAndIndexOnProcessForLogicalDeviceOfDefaultType(
      PjRtGlobalDeviceId device_id) const;
  absl::StatusOr<std::pair<PjRtProcessId, int>>
  ProcessIdAndIndexOnProcessForChip(PjRtGlobalChipId chip_id) const {
    return ProcessIdAndIndexOnProcessForLogicalDeviceOfDefaultType(
        PjRtGlobalDeviceId(chip_id.value()));
  }
  const absl::flat_hash_map<std::string, PjRtDeviceAttribute>& Attributes()
      const {
    return attributes_;
  }
  // The row-major layout.
  absl::StatusOr<Layout> GetDefaultLayout(PrimitiveType element_type,
                                          absl::Span<const int64_t> dims) const;
  absl::StatusOr<std::string> Serialize() const;
  // A hash of what affects programs: equal for equal topologies.
  absl::StatusOr<uint64_t> Fingerprint() const;

 private:
  PjRtTopologyDescription(std::string platform_name, int num_devices);
  PjRtTopologyDescription(std::string platform_name,
                          absl::Span<const PjRtProcess> processes);

  const std::string platform_name_;
  const std::vector<PjRtProcess> processes_;  // empty: one, alone
  std::vector<PjRtDeviceDescription> devices_;
  absl::flat_hash_map<std::string, PjRtDeviceAttribute> attributes_;
};

}  // namespace xla

#endif  // XLA_PJRT_PJRT_TOPOLOGY_H_
