// Clients: creation, devices and their memory; element types.
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/devices.h"
#include "xla/capi/handles.h"
#include "xla/capi/structs.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/proto/shared_descriptors.h"

namespace xla::capi {

void ClientCoreDeleter::operator()(ClientCore* core) const {
  if (core->client == nullptr ||
      ThreadPool::Current() != core->client->thread_pool()) {
    delete core;
    return;
  }
  std::thread([core] { delete core; }).detach();
}

absl::StatusOr<PjRtDevice*> DeviceOf(const ClientCore& core, int32_t device) {
  return core.client->LookupDevice(device);
}

namespace {

// The options that hold for the PJRT client; `core` gets the runner.
absl::StatusOr<PjRtClientOptions> ClientOptions(
    const tessera_client_options& from, ClientCore* core) {
  PjRtClientOptions options;
  TF_ASSIGN_OR_RETURN(
      const absl::string_view backend,
      TextArgument(from.backend, from.backend_size, "options.backend"));
  options.backend = std::string(backend);
  options.num_devices = from.num_devices;
  if (from.num_devices < 0) {
    return ArgumentError(
        absl::StrCat("options.num_devices is ", from.num_devices));
  }
  options.num_threads = from.num_threads;
  options.asynchronous = !from.synchronous;
  options.memory_limit_bytes = from.memory_limit_bytes;
  if (from.parallel_for != nullptr) {
    if (from.parallel_for_threads < 1) {
      return ArgumentError(absl::StrCat("options.parallel_for_threads is ",
                                        from.parallel_for_threads,
                                        ", but must be at least 1"));
    }
    core->runner = std::make_unique<HostRunner>(
        from.parallel_for, from.parallel_for_data, from.parallel_for_threads);
    options.runner = core->runner.get();
  } else if (from.parallel_for_data != nullptr ||
             from.parallel_for_threads != 0) {
    return ArgumentError(
        "options.parallel_for is NULL, but there are data or threads for it");
  }
  TF_ASSIGN_OR_RETURN(const absl::string_view folder,
                      TextArgument(from.cache_folder, from.cache_folder_size,
                                   "options.cache_folder"));
  if (from.cache_folder != nullptr) {
    options.compilation_cache.folder = std::string(folder);
  }
  if (from.cache_max_bytes != 0) {
    options.compilation_cache.max_bytes = from.cache_max_bytes;
  }
  return options;
}

}  // namespace

extern "C" {

tessera_status* tessera_client_create(const tessera_client_options* options,
                                      tessera_client** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_client_create", [&]() -> absl::Status {
    OutOfMemory();
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(SharedDescriptorsStatus());
    TF_ASSIGN_OR_RETURN(const tessera_client_options read,
                        ReadStruct(options, "options"));
    auto handle = std::make_unique<tessera_client>();
    handle->core =
        std::shared_ptr<ClientCore>(new ClientCore, ClientCoreDeleter());
    TF_ASSIGN_OR_RETURN(PjRtClientOptions client_options,
                        ClientOptions(read, handle->core.get()));
    absl::StatusOr<std::unique_ptr<PjRtClient>> client =
        PjRtClient::Create(std::move(client_options));
    if (absl::IsInvalidArgument(client.status())) {
      return ArgumentError(
          absl::StrCat("options: ", client.status().message()));
    }
    TF_ASSIGN_OR_RETURN(handle->core->client, std::move(client));
    handle->description = std::string(handle->core->client->platform_version());
    *out = handle.release();
    return absl::OkStatus();
  });
}

void tessera_client_destroy(tessera_client* client) {
  if (client != nullptr && client->tag.ok()) delete client;
}

const char* tessera_client_description(const tessera_client* client,
                                       size_t* size) {
  const bool live = client != nullptr && client->tag.ok();
  if (size != nullptr) *size = live ? client->description.size() : 0;
  return live ? client->description.c_str() : nullptr;
}

int32_t tessera_client_num_devices(const tessera_client* client) {
  if (client == nullptr || !client->tag.ok()) return 0;
  return client->core->client->device_count();
}

tessera_status* tessera_client_device_memory(const tessera_client* client,
                                             int32_t device,
                                             tessera_device_memory* out) {
  return Call("tessera_client_device_memory", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(client, "client"));
    TF_ASSIGN_OR_RETURN(PjRtDevice * found, DeviceOf(*client->core, device));
    TF_ASSIGN_OR_RETURN(const tsl::AllocatorStats stats,
                        found->GetAllocatorStats());
    tessera_device_memory memory = {};
    memory.bytes_in_use = stats.bytes_in_use;
    memory.peak_bytes_in_use = stats.peak_bytes_in_use;
    memory.bytes_limit = stats.bytes_limit.value_or(0);
    memory.num_allocations = stats.num_allocs;
    return WriteStruct(memory, out);
  });
}

int64_t tessera_type_size(tessera_type type) {
  if (!PrimitiveType_IsValid(type)) return 0;
  const auto primitive = static_cast<PrimitiveType>(type);
  return primitive_util::IsArrayType(primitive) ? LiteralElementBytes(primitive)
                                                : 0;
}

const char* tessera_type_name(tessera_type type, size_t* size) {
  if (size != nullptr) *size = 0;
  if (!PrimitiveType_IsValid(type)) return nullptr;
  const auto primitive = static_cast<PrimitiveType>(type);
  if (!primitive_util::IsArrayType(primitive) && primitive != TOKEN) {
    return nullptr;
  }
  const std::string& name =
      primitive_util::LowercasePrimitiveTypeName(primitive);
  if (size != nullptr) *size = name.size();
  return name.c_str();
}

}  // extern "C"
}  // namespace xla::capi
