// Clients: creation, properties, and compilation. make_buffer.cc makes buffers.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/program.h"
#include "xla/pjrt/c/functions/functions.h"
#include "xla/pjrt/c/functions/process_options.h"
#include "xla/proto/shared_descriptors.h"

PJRT_Client::PJRT_Client(std::unique_ptr<xla::PjRtClient> c)
    : client(std::move(c)) {
  for (xla::PjRtDevice* device : client->devices()) {
    devices.push_back(std::make_unique<PJRT_Device>(this, device));
    device_pointers.push_back(devices.back().get());
    if (device->IsAddressable()) {
      addressable_devices.push_back(devices.back().get());
    }
    for (PJRT_Memory* memory : devices.back()->memory_pointers) {
      memory_pointers.push_back(memory);
    }
  }
}

PJRT_Device* PJRT_Client::HandleOf(const xla::PjRtDevice* device) const {
  return device_pointers[device->id()];
}

PJRT_Memory* PJRT_Client::HandleOf(
    const xla::PjRtMemorySpace* memory_space) const {
  for (PJRT_Memory* memory :
       HandleOf(memory_space->device())->memory_pointers) {
    if (xla::pjrt::Impl(memory)->memory_space == memory_space) return memory;
  }
  return nullptr;
}

namespace xla::pjrt {
namespace {

absl::Status SetOption(const std::string& name, const PjRtValueType& value,
                       PjRtClientOptions* options) {
  if (name == "num_devices" || name == "num_threads") {
    TF_ASSIGN_OR_RETURN(const int64_t number, IntOption(name, value));
    if (number < (name == "num_devices" ? 1 : 0) || number > 1'000'000) {
      return InvalidArgument("option '%s' is out of range: %d", name, number);
    }
    (name == "num_devices" ? options->num_devices : options->num_threads) =
        static_cast<int>(number);
    return absl::OkStatus();
  }
  if (name == "asynchronous") {
    TF_ASSIGN_OR_RETURN(options->asynchronous, BoolOption(name, value));
    return absl::OkStatus();
  }
  if (name == "memory_limit_bytes") {
    TF_ASSIGN_OR_RETURN(options->memory_limit_bytes, IntOption(name, value));
    if (options->memory_limit_bytes >= 0) return absl::OkStatus();
    return InvalidArgument("option '%s' is negative", name);
  }
  if (name == "keep_bytes") {
    TF_ASSIGN_OR_RETURN(options->keep_bytes, IntOption(name, value));
    if (options->keep_bytes >= 0) return absl::OkStatus();
    return InvalidArgument("option '%s' is negative", name);
  }
  if (name == "cache_dir") {
    TF_ASSIGN_OR_RETURN(options->compilation_cache.folder,
                        StringOption(name, value));
    return absl::OkStatus();
  }
  if (name == "cache_max_bytes") {
    TF_ASSIGN_OR_RETURN(options->compilation_cache.max_bytes,
                        IntOption(name, value));
    return absl::OkStatus();
  }
  if (name == "platform_name") {
    TF_ASSIGN_OR_RETURN(options->platform_name, StringOption(name, value));
    return absl::OkStatus();
  }
  const absl::StatusOr<bool> taken =
      SetProcessOption(name, value, &options->processes);
  if (!taken.ok() || *taken) return taken.status();
  return InvalidArgument(
      "option '%s' is not known; there are num_devices, num_threads, "
      "asynchronous, memory_limit_bytes, keep_bytes, cache_dir, "
      "cache_max_bytes and platform_name, and for several processes node_id, "
      "num_nodes, partition_index, engine, listen_address, secret_file, "
      "connect_timeout_seconds and collective_timeout_seconds",
      name);
}

}  // namespace

absl::Status ClientCreate(PJRT_Client_Create_Args& args) {
  TF_RETURN_IF_ERROR(SharedDescriptorsStatus());
  TF_ASSIGN_OR_RETURN(
      const NamedValueMap values,
      ReadNamedValues(args.create_options, args.num_options, "create_options"));
  PjRtClientOptions options;
  for (const auto& [name, value] : values) {
    TF_RETURN_IF_ERROR(SetOption(name, value, &options));
  }
  if (options.processes.num_processes != 1) {
    TF_ASSIGN_OR_RETURN(options.store, StoreOf(args));
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtClient> client,
                      PjRtClient::Create(std::move(options)));
  auto handle = std::make_unique<PJRT_Client>(std::move(client));
  TF_ASSIGN_OR_RETURN(const PjRtTopologyDescription* topology,
                      handle->client->GetTopologyDescription());
  handle->topology = std::make_unique<PJRT_TopologyDescription>(topology);
  args.client = handle.release();
  return absl::OkStatus();
}

absl::Status ClientDestroy(PJRT_Client_Destroy_Args& args) {
  if (args.client == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  delete args.client;
  return absl::OkStatus();
}

absl::Status ClientPlatformName(PJRT_Client_PlatformName_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  const absl::string_view name = args.client->client->platform_name();
  args.platform_name = name.data();
  args.platform_name_size = name.size();
  return absl::OkStatus();
}

absl::Status ClientPlatformVersion(PJRT_Client_PlatformVersion_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  const absl::string_view version = args.client->client->platform_version();
  args.platform_version = version.data();
  args.platform_version_size = version.size();
  return absl::OkStatus();
}

absl::Status ClientProcessIndex(PJRT_Client_ProcessIndex_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  args.process_index = args.client->client->process_index();
  return absl::OkStatus();
}

absl::Status ClientTopologyDescription(
    PJRT_Client_TopologyDescription_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  args.topology = args.client->topology.get();
  return absl::OkStatus();
}

absl::Status ClientDevices(PJRT_Client_Devices_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  args.devices = args.client->device_pointers.data();
  args.num_devices = args.client->device_pointers.size();
  return absl::OkStatus();
}

absl::Status ClientAddressableDevices(
    PJRT_Client_AddressableDevices_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  args.addressable_devices = args.client->addressable_devices.data();
  args.num_addressable_devices = args.client->addressable_devices.size();
  return absl::OkStatus();
}

absl::Status ClientAddressableMemories(
    PJRT_Client_AddressableMemories_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  args.addressable_memories = args.client->memory_pointers.data();
  args.num_addressable_memories = args.client->memory_pointers.size();
  return absl::OkStatus();
}

absl::Status ClientLookupDevice(PJRT_Client_LookupDevice_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtDevice * device, args.client->client->LookupDevice(
                                               PjRtGlobalDeviceId(args.id)));
  args.device = args.client->HandleOf(device);
  return absl::OkStatus();
}

absl::Status ClientLookupAddressableDevice(
    PJRT_Client_LookupAddressableDevice_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(PjRtDevice * device,
                      args.client->client->LookupAddressableDevice(
                          PjRtLocalDeviceId(args.local_hardware_id)));
  args.addressable_device = args.client->HandleOf(device);
  return absl::OkStatus();
}

absl::Status ClientUpdateGlobalProcessInfo(
    PJRT_Client_UpdateGlobalProcessInfo_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(absl::Span<const PJRT_ProcessInfo> infos,
                      ArrayArgument(args.process_infos, args.num_process_infos,
                                    "process_infos"));
  const auto& communicator = args.client->client->communicator();
  // A single process has nothing to update.
  if (communicator == nullptr) return absl::OkStatus();
  for (const PJRT_ProcessInfo& info : infos) {
    const absl::string_view message(
        info.error_message,
        info.error_message == nullptr ? 0 : info.error_message_size);
    switch (info.state) {
      case PJRT_ProcessState_kError:
        communicator->UpdateProcess(info.task_id,
                                    absl::StrCat("in error: ", message));
        break;
      case PJRT_ProcessState_kDisconnected:
        communicator->UpdateProcess(info.task_id, "disconnected");
        break;
      default:
        communicator->UpdateProcess(info.task_id, "");
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status ClientCompile(PJRT_Client_Compile_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(
      CompileOptions options,
      ReadCompileOptions(args.compile_options, args.compile_options_size));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(args.program));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtLoadedExecutable> executable,
                      args.client->client->CompileAndLoad(std::move(module),
                                                          std::move(options)));
  args.executable =
      new PJRT_LoadedExecutable(args.client, std::move(executable));
  return absl::OkStatus();
}

absl::Status ClientLoad(PJRT_Client_Load_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtLoadedExecutable> executable,
                      args.client->client->Load(args.executable->executable));
  args.loaded_executable =
      new PJRT_LoadedExecutable(args.client, std::move(executable));
  return absl::OkStatus();
}

absl::Status ClientDefaultDeviceAssignment(
    PJRT_Client_DefaultDeviceAssignment_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_RETURN_IF_ERROR(
      CheckPointer(args.default_assignment, "default_assignment"));
  TF_ASSIGN_OR_RETURN(const DeviceAssignment assignment,
                      args.client->client->GetDefaultDeviceAssignment(
                          args.num_replicas, args.num_partitions));
  const size_t size = static_cast<size_t>(assignment.replica_count()) *
                      static_cast<size_t>(assignment.computation_count());
  if (args.default_assignment_size < size) {
    return ArgumentError(
        "default_assignment_size is smaller than the "
        "number of replicas times partitions");
  }
  int* out = args.default_assignment;
  for (int r = 0; r < assignment.replica_count(); ++r) {
    for (int c = 0; c < assignment.computation_count(); ++c) {
      *out++ = static_cast<int>(assignment(r, c));
    }
  }
  return absl::OkStatus();
}

absl::Status ClientDmaMap(PJRT_Client_DmaMap_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_RETURN_IF_ERROR(CheckPointer(static_cast<const char*>(args.data), "data"));
  return args.client->client->DmaMap(args.data, args.size);
}

absl::Status ClientDmaUnmap(PJRT_Client_DmaUnmap_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_RETURN_IF_ERROR(CheckPointer(static_cast<const char*>(args.data), "data"));
  return args.client->client->DmaUnmap(args.data);
}

}  // namespace xla::pjrt
