// DeviceAssignment: which device runs which replica of which computation.
#ifndef XLA_HLO_SHARDING_DEVICE_ASSIGNMENT_H_
#define XLA_HLO_SHARDING_DEVICE_ASSIGNMENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/array/array2d.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// The device at (replica, computation), where a computation is a partition of
// a program.
class DeviceAssignment : public Array2D<int64_t> {
 public:
  DeviceAssignment() = default;
  DeviceAssignment(int replica_count, int computation_count)
      : Array2D<int64_t>(replica_count, computation_count, -1) {}

  int replica_count() const { return height(); }
  int computation_count() const { return width(); }

  struct LogicalID {
    int replica_id;
    int computation_id;
  };
  // Errors: NotFound if the device is not assigned, Internal if it is assigned
  // twice.
  absl::StatusOr<LogicalID> LogicalIdForDevice(int64_t device_id) const;
  absl::StatusOr<int> ReplicaIdForDevice(int64_t device_id) const;
  absl::flat_hash_map<int64_t, LogicalID> GetDeviceToLogicalIdMap() const;

  void Serialize(DeviceAssignmentProto* proto) const;
  // Errors: InvalidArgument if counts and lists disagree.
  static absl::StatusOr<std::unique_ptr<DeviceAssignment>> Deserialize(
      const DeviceAssignmentProto& proto);
  std::string ToString() const;
};

// The default assignment: replicas of one computation have consecutive devices.
class ComputationPlacer {
 public:
  // Returns computation * replica_count + replica.
  static absl::StatusOr<int> DeviceId(int replica, int computation,
                                      int replica_count, int computation_count);
  static absl::StatusOr<DeviceAssignment> AssignDevices(int replica_count,
                                                        int computation_count);
};

}  // namespace xla

#endif  // XLA_HLO_SHARDING_DEVICE_ASSIGNMENT_H_
