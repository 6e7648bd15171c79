// PjRtTopologyDescription: the devices of a client without the client.
#ifndef XLA_PJRT_PJRT_TOPOLOGY_H_
#define XLA_PJRT_PJRT_TOPOLOGY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/pjrt/pjrt_common.h"
#include "xla/pjrt/pjrt_device.h"

namespace xla {

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
  absl::Span<const PjRtDeviceDescription> DeviceDescriptions() const {
    return devices_;
  }
  int ProcessCount() const {
    return processes_.empty() ? 1 : static_cast<int>(processes_.size());
  }
  int CoreCountOfDefaultType() const { return devices_.size(); }
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
