// Topologies and their serialization.
#include "xla/pjrt/pjrt_topology.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/stable_hash.h"
#include "xla/base/version.h"
#include "xla/core/layout_util.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/proto/compile_options.pb.h"
#include "xla/proto/parse_message.h"

namespace xla {

PjRtPlatformId PlatformIdOf(absl::string_view platform_name) {
  return StableHash(platform_name);
}

PjRtTopologyDescription::PjRtTopologyDescription(std::string platform_name,
                                                 int num_devices)
    : platform_name_(std::move(platform_name)) {
  for (int id = 0; id < num_devices; ++id) {
    devices_.emplace_back(id, platform_name_);
  }
}

PjRtTopologyDescription::PjRtTopologyDescription(
    std::string platform_name, absl::Span<const PjRtProcess> processes)
    : platform_name_(std::move(platform_name)),
      processes_(processes.begin(), processes.end()) {
  for (size_t process = 0; process < processes.size(); ++process) {
    for (int local = 0; local < processes[process].num_devices; ++local) {
      devices_.emplace_back(static_cast<int>(devices_.size()), platform_name_,
                            static_cast<int>(process), local,
                            processes[process].partition_index);
    }
  }
}

absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>>
PjRtTopologyDescription::Create(std::string platform_name,
                                absl::Span<const PjRtProcess> processes) {
  int64_t num_devices = 0;
  for (const PjRtProcess& process : processes) {
    if (process.num_devices < 1) {
      return absl::InvalidArgumentError("a process has no devices");
    }
    num_devices += process.num_devices;
  }
  if (num_devices < 1 || num_devices > PjRtClient::kMaxDevices) {
    return absl::InvalidArgumentError(absl::StrCat(
        processes.size(), " processes have ", num_devices,
        " devices: between 1 and ", PjRtClient::kMaxDevices, " are possible"));
  }
  // The constructor is private.
  return std::unique_ptr<PjRtTopologyDescription>(
      new PjRtTopologyDescription(std::move(platform_name), processes));
}

absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>>
PjRtTopologyDescription::Create(std::string platform_name,
                                int64_t num_devices) {
  if (num_devices < 1 || num_devices > PjRtClient::kMaxDevices) {
    return absl::InvalidArgumentError(
        absl::StrCat("num_devices is ", num_devices, ": between 1 and ",
                     PjRtClient::kMaxDevices, " are possible"));
  }
  // The constructor is private.
  return std::unique_ptr<PjRtTopologyDescription>(new PjRtTopologyDescription(
      std::move(platform_name), static_cast<int>(num_devices)));
}

absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>>
PjRtTopologyDescription::Deserialize(absl::string_view serialized) {
  TesseraTopologyProto proto;
  if (!ParseMessage(serialized, &proto) || proto.version().empty()) {
    return absl::InvalidArgumentError(
        "these bytes are not a topology of Tessera");
  }
  if (proto.processes().empty()) {
    return Create(proto.platform_name(), proto.num_devices());
  }
  std::vector<PjRtProcess> processes;
  for (const TesseraTopologyProto::Process& process : proto.processes()) {
    processes.push_back({process.num_devices(), process.partition_index()});
  }
  return Create(proto.platform_name(), processes);
}

std::vector<std::unique_ptr<const PjRtDeviceDescription>>
PjRtTopologyDescription::DeviceDescriptions() const {
  std::vector<std::unique_ptr<const PjRtDeviceDescription>> descriptions;
  for (const PjRtDeviceDescription& device : devices_) {
    descriptions.push_back(
        std::make_unique<const PjRtDeviceDescription>(device));
  }
  return descriptions;
}

absl::StatusOr<int> PjRtTopologyDescription::ChipsPerProcess() const {
  if (processes_.empty()) return static_cast<int>(devices_.size());
  for (const PjRtProcess& process : processes_) {
    if (process.num_devices == processes_[0].num_devices) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("one process has ", processes_[0].num_devices,
                     " devices, another one ", process.num_devices));
  }
  return processes_[0].num_devices;
}

absl::StatusOr<PjRtIdContainer<PjRtProcessId>>
PjRtTopologyDescription::ProcessIds() const {
  return MakeContinuousIds<PjRtProcessId>(0, *ProcessCount());
}

absl::StatusOr<PjRtIdContainer<PjRtGlobalDeviceId>>
PjRtTopologyDescription::LogicalDeviceOfDefaultTypeIdsOnProcess(
    PjRtProcessId process_id) const {
  if (process_id.value() < 0 || process_id.value() >= *ProcessCount()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no process ", process_id.value()));
  }
  PjRtIdContainer<PjRtGlobalDeviceId> ids;
  for (const PjRtDeviceDescription& device : devices_) {
    if (device.process_index() != process_id.value()) continue;
    ids.push_back(device.global_device_id());
  }
  return ids;
}

absl::StatusOr<std::pair<PjRtProcessId, int>> PjRtTopologyDescription::
    ProcessIdAndIndexOnProcessForLogicalDeviceOfDefaultType(
        PjRtGlobalDeviceId device_id) const {
  const int id = device_id.value();
  if (id < 0 || id >= static_cast<int>(devices_.size())) {
    return absl::InvalidArgumentError(absl::StrCat("there is no device ", id));
  }
  return std::pair(PjRtProcessId(devices_[id].process_index()),
                   devices_[id].local_id());
}

PjRtPlatformId PjRtTopologyDescription::platform_id() const {
  return PlatformIdOf(platform_name_);
}

absl::string_view PjRtTopologyDescription::platform_version() const {
  return TesseraVersion();
}

absl::StatusOr<Layout> PjRtTopologyDescription::GetDefaultLayout(
    PrimitiveType element_type, absl::Span<const int64_t> dims) const {
  return LayoutUtil::MakeDescendingLayout(dims.size());
}

absl::StatusOr<std::string> PjRtTopologyDescription::Serialize() const {
  TesseraTopologyProto proto;
  proto.set_platform_name(platform_name_);
  proto.set_num_devices(devices_.size());
  proto.set_version(std::string(TesseraVersion()));
  for (const PjRtProcess& process : processes_) {
    TesseraTopologyProto::Process* to = proto.add_processes();
    to->set_num_devices(process.num_devices);
    to->set_partition_index(process.partition_index);
  }
  return proto.SerializeAsString();
}

absl::StatusOr<uint64_t> PjRtTopologyDescription::Fingerprint() const {
  std::string text =
      absl::StrCat(platform_name_, ":", devices_.size(), TesseraVersion());
  for (const PjRtProcess& process : processes_) {
    absl::StrAppend(&text, " ", process.num_devices, "@",
                    process.partition_index);
  }
  return StableHash(text);
}

}  // namespace xla
