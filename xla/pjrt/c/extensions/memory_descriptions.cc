// The MemoryDescriptions extension.
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h"

namespace xla::pjrt {
namespace {

absl::Status OfDevice(PJRT_DeviceDescription_MemoryDescriptions_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.device_description, "device_description"));
  const PJRT_DeviceDescription& device = *args.device_description;
  args.memory_descriptions = device.memory_pointers.data();
  args.num_memory_descriptions = device.memory_pointers.size();
  args.default_memory_index = 0;
  return absl::OkStatus();
}

absl::Status Kind(PJRT_MemoryDescription_Kind_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckPointer(args.memory_description, "memory_description"));
  const PjRtMemorySpaceDescription& memory =
      *args.memory_description->description;
  args.kind = memory.kind().data();
  args.kind_size = memory.kind().size();
  args.kind_id = memory.kind_id();
  return absl::OkStatus();
}

}  // namespace

PJRT_Extension_Base* MemoryDescriptionsExtension(PJRT_Extension_Base* next) {
  static PJRT_MemoryDescriptions_Extension extension = {
      {PJRT_MemoryDescriptions_Extension_STRUCT_SIZE,
       PJRT_Extension_Type_MemoryDescriptions, nullptr},
      Function<"PJRT_DeviceDescription_MemoryDescriptions",
               PJRT_DeviceDescription_MemoryDescriptions_Args_STRUCT_SIZE,
               OfDevice>::Call,
      Function<"PJRT_MemoryDescription_Kind",
               PJRT_MemoryDescription_Kind_Args_STRUCT_SIZE, Kind>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
