// Lookup, the proto form, and the default assignment.
#include "xla/hlo/sharding/device_assignment.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// The most devices that a proto may have; checked before memory is allocated.
constexpr int64_t kMaxDevices = int64_t{1} << 20;

}  // namespace

absl::StatusOr<DeviceAssignment::LogicalID>
DeviceAssignment::LogicalIdForDevice(int64_t device_id) const {
  std::optional<LogicalID> found;
  for (int replica = 0; replica < replica_count(); ++replica) {
    for (int computation = 0; computation < computation_count();
         ++computation) {
      if ((*this)(replica, computation) != device_id) continue;
      if (found.has_value()) {
        return absl::InternalError(
            absl::StrCat("device ", device_id,
                         " has two places in the assignment ", ToString()));
      }
      found = LogicalID{replica, computation};
    }
  }
  if (found.has_value()) return *found;
  return absl::NotFoundError(absl::StrCat(
      "device ", device_id, " has no place in the assignment ", ToString()));
}

absl::StatusOr<int> DeviceAssignment::ReplicaIdForDevice(
    int64_t device_id) const {
  TF_ASSIGN_OR_RETURN(const LogicalID id, LogicalIdForDevice(device_id));
  return id.replica_id;
}

absl::flat_hash_map<int64_t, DeviceAssignment::LogicalID>
DeviceAssignment::GetDeviceToLogicalIdMap() const {
  absl::flat_hash_map<int64_t, LogicalID> map;
  for (int replica = 0; replica < replica_count(); ++replica) {
    for (int computation = 0; computation < computation_count();
         ++computation) {
      map[(*this)(replica, computation)] = LogicalID{replica, computation};
    }
  }
  return map;
}

void DeviceAssignment::Serialize(DeviceAssignmentProto* proto) const {
  proto->Clear();
  proto->set_replica_count(replica_count());
  proto->set_computation_count(computation_count());
  for (int computation = 0; computation < computation_count(); ++computation) {
    auto* devices = proto->add_computation_devices();
    for (int replica = 0; replica < replica_count(); ++replica) {
      devices->add_replica_device_ids((*this)(replica, computation));
    }
  }
}

absl::StatusOr<std::unique_ptr<DeviceAssignment>> DeviceAssignment::Deserialize(
    const DeviceAssignmentProto& proto) {
  const int64_t replicas = proto.replica_count();
  const int64_t computations = proto.computation_count();
  if (replicas < 1 || computations < 1 ||
      replicas > kMaxDevices / computations) {
    return absl::InvalidArgumentError(
        absl::StrCat("device assignment: ", replicas, " replicas of ",
                     computations, " computations"));
  }
  if (proto.computation_devices_size() != computations) {
    return absl::InvalidArgumentError(absl::StrCat(
        "device assignment: devices of ", proto.computation_devices_size(),
        " computations, but there are ", computations));
  }
  auto assignment = std::make_unique<DeviceAssignment>(replicas, computations);
  for (int computation = 0; computation < computations; ++computation) {
    const auto& devices = proto.computation_devices(computation);
    if (devices.replica_device_ids_size() != replicas) {
      return absl::InvalidArgumentError(
          absl::StrCat("device assignment: computation ", computation, " has ",
                       devices.replica_device_ids_size(), " devices for ",
                       replicas, " replicas"));
    }
    for (int replica = 0; replica < replicas; ++replica) {
      (*assignment)(replica, computation) = devices.replica_device_ids(replica);
    }
  }
  return assignment;
}

std::string DeviceAssignment::ToString() const {
  std::string text = "DeviceAssignment{replica_count=";
  absl::StrAppend(&text, replica_count(),
                  ", computation_count=", computation_count());
  for (int computation = 0; computation < computation_count(); ++computation) {
    absl::StrAppend(&text, ", Computation", computation, "{");
    for (int replica = 0; replica < replica_count(); ++replica) {
      absl::StrAppend(&text, replica == 0 ? "" : " ",
                      (*this)(replica, computation));
    }
    text += "}";
  }
  return text + "}";
}

absl::StatusOr<int> ComputationPlacer::DeviceId(int replica, int computation,
                                                int replica_count,
                                                int computation_count) {
  if (replica < 0 || replica >= replica_count || computation < 0 ||
      computation >= computation_count) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no place (", replica, ", ", computation, ") among ", replica_count,
        " replicas of ", computation_count, " computations"));
  }
  return computation * replica_count + replica;
}

absl::StatusOr<DeviceAssignment> ComputationPlacer::AssignDevices(
    int replica_count, int computation_count) {
  if (replica_count < 1 || computation_count < 1 ||
      replica_count > kMaxDevices / computation_count) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot assign devices to ", replica_count,
                     " replicas of ", computation_count, " computations"));
  }
  DeviceAssignment assignment(replica_count, computation_count);
  for (int replica = 0; replica < replica_count; ++replica) {
    for (int computation = 0; computation < computation_count; ++computation) {
      TF_ASSIGN_OR_RETURN(
          assignment(replica, computation),
          DeviceId(replica, computation, replica_count, computation_count));
    }
  }
  return assignment;
}

}  // namespace xla
