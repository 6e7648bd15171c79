// Topologies: devices without a client, and compilation for them.
#include <memory>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/convert/program.h"
#include "xla/pjrt/c/functions/functions.h"

// Owns the result of PJRT_TopologyDescription_Serialize.
struct PJRT_SerializedTopology {
  std::string bytes;
};

PJRT_TopologyDescription::PJRT_TopologyDescription(
    const xla::PjRtTopologyDescription* t)
    : topology(t), attributes(t->Attributes()) {
  for (const xla::PjRtDeviceDescription& device : t->devices()) {
    devices.push_back(std::make_unique<PJRT_DeviceDescription>(&device));
    device_pointers.push_back(devices.back().get());
    for (const xla::PjRtMemorySpaceDescription* m : device.memory_spaces()) {
      if (!absl::c_linear_search(memory_kind_ids, m->kind_id())) {
        memory_kind_ids.push_back(m->kind_id());
      }
    }
  }
}

PJRT_TopologyDescription::PJRT_TopologyDescription(
    std::unique_ptr<xla::PjRtTopologyDescription> t)
    : PJRT_TopologyDescription(t.get()) {
  owned = std::move(t);
}

absl::StatusOr<std::shared_ptr<xla::PjRtClient>>
PJRT_TopologyDescription::CompileClient() const {
  std::lock_guard<std::mutex> lock(mutex);
  if (compile_client == nullptr) {
    TF_ASSIGN_OR_RETURN(compile_client, xla::PjRtClient::CreateFor(*topology));
  }
  return compile_client;
}

namespace xla::pjrt {

// Names are "tessera" and "tessera:N" for N devices; the option num_devices is
// equivalent.
absl::Status TopologyDescriptionCreate(
    PJRT_TopologyDescription_Create_Args& args) {
  TF_ASSIGN_OR_RETURN(absl::string_view name,
                      StringArgument(args.topology_name,
                                     args.topology_name_size, "topology_name"));
  TF_ASSIGN_OR_RETURN(
      const NamedValueMap options,
      ReadNamedValues(args.create_options, args.num_options, "create_options"));
  int64_t num_devices = 1;
  absl::string_view count = name;
  if (absl::ConsumePrefix(&count, "tessera:")) {
    if (!absl::SimpleAtoi(count, &num_devices)) num_devices = 0;
  } else if (!name.empty() && name != kPlatformName) {
    return InvalidArgument(
        "topology '%s' is not known; there are 'tessera' and 'tessera:N', of N "
        "devices",
        std::string(name.substr(0, 64)));
  }
  for (const auto& [option, value] : options) {
    if (option != "num_devices") {
      return InvalidArgument(
          "topology option '%s' is not known; there is num_devices", option);
    }
    TF_ASSIGN_OR_RETURN(num_devices, IntOption(option, value));
  }
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtTopologyDescription> topology,
      PjRtTopologyDescription::Create(std::string(kPlatformName), num_devices));
  args.topology = new PJRT_TopologyDescription(std::move(topology));
  return absl::OkStatus();
}

absl::Status TopologyDescriptionDestroy(
    PJRT_TopologyDescription_Destroy_Args& args) {
  if (args.topology == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  if (args.topology->owned == nullptr) {
    return ArgumentError("topology belongs to its client");
  }
  delete args.topology;
  return absl::OkStatus();
}

absl::Status TopologyDescriptionPlatformName(
    PJRT_TopologyDescription_PlatformName_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  const absl::string_view name = args.topology->topology->platform_name();
  args.platform_name = name.data();
  args.platform_name_size = name.size();
  return absl::OkStatus();
}

absl::Status TopologyDescriptionPlatformVersion(
    PJRT_TopologyDescription_PlatformVersion_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  const absl::string_view version = args.topology->topology->platform_version();
  args.platform_version = version.data();
  args.platform_version_size = version.size();
  return absl::OkStatus();
}

absl::Status TopologyDescriptionGetDeviceDescriptions(
    PJRT_TopologyDescription_GetDeviceDescriptions_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  args.descriptions = args.topology->device_pointers.data();
  args.num_descriptions = args.topology->device_pointers.size();
  return absl::OkStatus();
}

absl::Status TopologyDescriptionSerialize(
    PJRT_TopologyDescription_Serialize_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  TF_ASSIGN_OR_RETURN(std::string bytes, args.topology->topology->Serialize());
  auto* serialized = new PJRT_SerializedTopology{std::move(bytes)};
  args.serialized_bytes = serialized->bytes.data();
  args.serialized_bytes_size = serialized->bytes.size();
  args.serialized_topology = serialized;
  args.serialized_topology_deleter = [](PJRT_SerializedTopology* holder) {
    delete holder;
  };
  return absl::OkStatus();
}

absl::Status TopologyDescriptionDeserialize(
    PJRT_TopologyDescription_Deserialize_Args& args) {
  TF_ASSIGN_OR_RETURN(
      absl::string_view bytes,
      StringArgument(args.serialized_topology, args.serialized_topology_size,
                     "serialized_topology"));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtTopologyDescription> topology,
                      PjRtTopologyDescription::Deserialize(bytes));
  args.topology = new PJRT_TopologyDescription(std::move(topology));
  return absl::OkStatus();
}

absl::Status TopologyDescriptionAttributes(
    PJRT_TopologyDescription_Attributes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  args.attributes = args.topology->attributes.data();
  args.num_attributes = args.topology->attributes.size();
  return absl::OkStatus();
}

absl::Status TopologyDescriptionFingerprint(
    PJRT_TopologyDescription_Fingerprint_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  TF_ASSIGN_OR_RETURN(args.fingerprint, args.topology->topology->Fingerprint());
  return absl::OkStatus();
}

absl::Status TopologyDescriptionMakeCanonicalShapeForMemorySpace(
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  if (!absl::c_linear_search(args.topology->memory_kind_ids,
                             args.memory_space_kind_id)) {
    return ArgumentError("memory_space_kind_id is not that of a memory");
  }
  TF_ASSIGN_OR_RETURN(const Shape shape, ReadShape(args.element_type, args.dims,
                                                   args.num_dims, args.layout));
  const std::string bytes = shape.ToProto().SerializeAsString();
  auto copy = std::make_unique<char[]>(bytes.size() + 1);
  bytes.copy(copy.get(), bytes.size());
  args.serialized_shape_size = bytes.size();
  args.serialized_shape = copy.release();
  args.serialized_shape_deleter = [](const char* serialized) {
    delete[] serialized;
  };
  return absl::OkStatus();
}

absl::Status TopologyDescriptionGetMemorySpaceKindIds(
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  args.memory_space_kind_ids = args.topology->memory_kind_ids.data();
  args.num_memory_space_kind_ids = args.topology->memory_kind_ids.size();
  return absl::OkStatus();
}

absl::Status Compile(PJRT_Compile_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.topology, "topology"));
  TF_ASSIGN_OR_RETURN(
      CompileOptions options,
      ReadCompileOptions(args.compile_options, args.compile_options_size));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(args.program));
  // Executables may use what belongs to their client, so they keep it alive.
  std::shared_ptr<PjRtClient> owner;
  PjRtClient* client;
  if (args.client != nullptr) {
    TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
    client = args.client->client.get();
  } else {
    TF_ASSIGN_OR_RETURN(owner, args.topology->CompileClient());
    client = owner.get();
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtExecutable> compiled,
                      client->Compile(std::move(module), std::move(options)));
  struct Owned {
    std::shared_ptr<PjRtClient> client;
    std::unique_ptr<PjRtExecutable> executable;
  };
  auto owned = std::make_shared<Owned>(Owned{owner, std::move(compiled)});
  args.executable = new PJRT_Executable(
      std::shared_ptr<const PjRtExecutable>(owned, owned->executable.get()));
  return absl::OkStatus();
}

}  // namespace xla::pjrt
