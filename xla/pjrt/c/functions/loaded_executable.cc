// Loaded executables: the devices of a program. execute.cc runs it.
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/functions/functions.h"

// Owns the result of PJRT_LoadedExecutable_GetDeviceAssignment.
struct PJRT_DeviceAssignmentSerialized {
  std::string bytes;
};

PJRT_LoadedExecutable::PJRT_LoadedExecutable(
    PJRT_Client* c, std::unique_ptr<xla::PjRtLoadedExecutable> e)
    : client(c), executable(std::move(e)) {
  for (xla::PjRtDevice* device : executable->addressable_devices()) {
    devices.push_back(client->HandleOf(device));
  }
  for (const auto& ids : executable->addressable_device_logical_ids()) {
    logical_ids.push_back({ids.replica, ids.partition});
  }
}

namespace xla::pjrt {

absl::Status LoadedExecutableDestroy(PJRT_LoadedExecutable_Destroy_Args& args) {
  if (args.executable == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  delete args.executable;
  return absl::OkStatus();
}

absl::Status LoadedExecutableGetExecutable(
    PJRT_LoadedExecutable_GetExecutable_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.loaded_executable, "loaded_executable"));
  args.executable = new PJRT_Executable(
      args.loaded_executable->executable->shared_executable());
  return absl::OkStatus();
}

absl::Status LoadedExecutableAddressableDevices(
    PJRT_LoadedExecutable_AddressableDevices_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.addressable_devices = args.executable->devices.data();
  args.num_addressable_devices = args.executable->devices.size();
  return absl::OkStatus();
}

absl::Status LoadedExecutableAddressableDeviceLogicalIds(
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.addressable_device_logical_ids = args.executable->logical_ids.data();
  args.num_addressable_device_logical_ids = args.executable->logical_ids.size();
  return absl::OkStatus();
}

absl::Status LoadedExecutableGetDeviceAssignment(
    PJRT_LoadedExecutable_GetDeviceAssignment_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  DeviceAssignmentProto proto;
  if (args.executable->executable->is_portable()) {
    // It has no devices of its own, but readers expect an assignment.
    DeviceAssignment assignment(1, 1);
    assignment(0, 0) = 0;
    assignment.Serialize(&proto);
  } else {
    args.executable->executable->device_assignment().Serialize(&proto);
  }
  auto* holder = new PJRT_DeviceAssignmentSerialized{proto.SerializeAsString()};
  args.serialized_bytes = holder->bytes.data();
  args.serialized_bytes_size = holder->bytes.size();
  args.serialized_device_assignment = holder;
  args.serialized_device_assignment_deleter =
      [](PJRT_DeviceAssignmentSerialized* h) { delete h; };
  return absl::OkStatus();
}

absl::Status LoadedExecutableDelete(PJRT_LoadedExecutable_Delete_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.executable->executable->Delete();
  return absl::OkStatus();
}

absl::Status LoadedExecutableIsDeleted(
    PJRT_LoadedExecutable_IsDeleted_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.is_deleted = args.executable->executable->IsDeleted();
  return absl::OkStatus();
}

absl::Status LoadedExecutableFingerprint(
    PJRT_LoadedExecutable_Fingerprint_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  std::lock_guard<std::mutex> lock(args.executable->mutex);
  std::string& fingerprint = args.executable->fingerprint;
  if (fingerprint.empty()) {
    TF_ASSIGN_OR_RETURN(fingerprint,
                        args.executable->executable->FingerprintExecutable());
  }
  args.executable_fingerprint = fingerprint.data();
  args.executable_fingerprint_size = fingerprint.size();
  return absl::OkStatus();
}

}  // namespace xla::pjrt
