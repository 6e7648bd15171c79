// Devices and their descriptions.
#include <memory>
#include <string>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/functions/functions.h"

// Owns the result of PJRT_Device_GetAttributes.
struct PJRT_Device_Attributes {
  xla::pjrt::NamedValues values;
};

PJRT_DeviceDescription::PJRT_DeviceDescription(
    const xla::PjRtDeviceDescription* device)
    : description(device), attributes(device->Attributes()) {
  for (const xla::PjRtMemorySpaceDescription* m : device->memory_spaces()) {
    memories.push_back({m});
  }
  for (const PJRT_MemoryDescription& m : memories) {
    memory_pointers.push_back(&m);
  }
}

PJRT_Device::PJRT_Device(PJRT_Client* c, xla::PjRtDevice* d)
    : client(c), device(d), description(&d->description()) {
  for (xla::PjRtMemorySpace* space : d->memory_spaces()) {
    memories.push_back(
        std::make_unique<xla::pjrt::MemoryHandle>(c, this, space));
    memory_pointers.push_back(memories.back().get());
  }
}

namespace xla::pjrt {

absl::Status DeviceDescriptionId(PJRT_DeviceDescription_Id_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  args.id = args.device_description->description->id();
  return absl::OkStatus();
}

absl::Status DeviceDescriptionProcessIndex(
    PJRT_DeviceDescription_ProcessIndex_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  args.process_index = args.device_description->description->process_index();
  return absl::OkStatus();
}

absl::Status DeviceDescriptionAttributes(
    PJRT_DeviceDescription_Attributes_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  args.attributes = args.device_description->attributes.data();
  args.num_attributes = args.device_description->attributes.size();
  return absl::OkStatus();
}

absl::Status DeviceDescriptionKind(PJRT_DeviceDescription_Kind_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  const absl::string_view kind =
      args.device_description->description->device_kind();
  args.device_kind = kind.data();
  args.device_kind_size = kind.size();
  return absl::OkStatus();
}

absl::Status DeviceDescriptionDebugString(
    PJRT_DeviceDescription_DebugString_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  const absl::string_view text =
      args.device_description->description->DebugString();
  args.debug_string = text.data();
  args.debug_string_size = text.size();
  return absl::OkStatus();
}

absl::Status DeviceDescriptionToString(
    PJRT_DeviceDescription_ToString_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  const absl::string_view text =
      args.device_description->description->ToString();
  args.to_string = text.data();
  args.to_string_size = text.size();
  return absl::OkStatus();
}

absl::Status DeviceGetDescription(PJRT_Device_GetDescription_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  args.device_description = &args.device->description;
  return absl::OkStatus();
}

absl::Status DeviceIsAddressable(PJRT_Device_IsAddressable_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  args.is_addressable = args.device->device->IsAddressable();
  return absl::OkStatus();
}

absl::Status DeviceLocalHardwareId(PJRT_Device_LocalHardwareId_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  args.local_hardware_id = args.device->device->local_hardware_id().value();
  return absl::OkStatus();
}

absl::Status DeviceAddressableMemories(
    PJRT_Device_AddressableMemories_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  args.memories = args.device->memory_pointers.data();
  args.num_memories = args.device->memory_pointers.size();
  return absl::OkStatus();
}

absl::Status DeviceDefaultMemory(PJRT_Device_DefaultMemory_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * space,
                      args.device->device->default_memory_space());
  args.memory = args.device->client->HandleOf(space);
  return absl::OkStatus();
}

absl::Status DeviceMemoryStats(PJRT_Device_MemoryStats_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  TF_ASSIGN_OR_RETURN(const tsl::AllocatorStats stats,
                      args.device->device->GetAllocatorStats());
  args.bytes_in_use = stats.bytes_in_use;
  args.peak_bytes_in_use = stats.peak_bytes_in_use;
  args.num_allocs = stats.num_allocs;
  args.largest_alloc_size = stats.largest_alloc_size;
  args.bytes_limit = stats.bytes_limit.value_or(0);
  args.peak_bytes_in_use_is_set = args.num_allocs_is_set =
      args.largest_alloc_size_is_set = true;
  args.bytes_limit_is_set = stats.bytes_limit.has_value();
  // No statistics are kept of reserved or pooled memory.
  args.bytes_reserved_is_set = args.peak_bytes_reserved_is_set =
      args.bytes_reservable_limit_is_set = false;
  args.largest_free_block_bytes_is_set = false;
  args.pool_bytes_is_set = args.peak_pool_bytes_is_set = false;
  if (HasMember(args, PJRT_Device_MemoryStats_Args_STRUCT_SIZE)) {
    args.peak_allocated_bytes_is_set = false;
  }
  return absl::OkStatus();
}

absl::Status DeviceClearMemoryStats(PJRT_Device_ClearMemoryStats_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  return absl::UnimplementedError(
      "PJRT_Device_ClearMemoryStats: memory is counted from the start of the "
      "client on");
}

absl::Status DeviceGetAttributes(PJRT_Device_GetAttributes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  auto* attributes = new PJRT_Device_Attributes{
      NamedValues(args.device->device->Attributes())};
  args.attributes = attributes->values.data();
  args.num_attributes = attributes->values.size();
  args.device_attributes = attributes;
  args.attributes_deleter = [](PJRT_Device_Attributes* holder) {
    delete holder;
  };
  return absl::OkStatus();
}

absl::Status DevicePoisonExecution(PJRT_Device_PoisonExecution_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  TF_ASSIGN_OR_RETURN(ReportedError error,
                      ErrorArgument(args.error_code, args.error_message,
                                    args.error_message_size));
  TF_ASSIGN_OR_RETURN(args.poisoned,
                      args.device->device->PoisonExecution(
                          args.launch_id, std::move(error.status)));
  return absl::OkStatus();
}

absl::Status DeviceCreateAsyncTrackingEvent(
    PJRT_Device_CreateAsyncTrackingEvent_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  TF_ASSIGN_OR_RETURN(
      absl::string_view description,
      StringArgument(args.description, args.description_size, "description"));
  auto event = std::make_unique<PJRT_AsyncTrackingEvent>();
  event->description = std::string(description);
  args.event = event.release();
  return absl::OkStatus();
}

absl::Status AsyncTrackingEventDestroy(
    PJRT_AsyncTrackingEvent_Destroy_Args& args) {
  if (args.event == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  delete args.event;
  return absl::OkStatus();
}

}  // namespace xla::pjrt
