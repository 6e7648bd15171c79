// Memories of devices, and the data that frameworks attach to them.
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {
namespace {

void* GetUserData(PJRT_Memory* memory, const void* key) {
  MemoryHandle* handle = Impl(memory);
  std::lock_guard<std::mutex> lock(handle->mutex);
  const auto it = handle->user_data.find(key);
  return it == handle->user_data.end() ? nullptr : it->second.data;
}

void SetUserData(PJRT_Memory* memory, const void* key, void* data,
                 void (*destructor)(void* data)) {
  MemoryHandle* handle = Impl(memory);
  MemoryHandle::UserData old = {data, destructor};
  {
    std::lock_guard<std::mutex> lock(handle->mutex);
    const auto [it, inserted] = handle->user_data.try_emplace(key, old);
    if (inserted) return;
    std::swap(it->second, old);
  }
  if (old.destructor != nullptr) old.destructor(old.data);
}

constexpr PJRT_Memory_FunctionTable kTable = {
    .struct_size = PJRT_Memory_FunctionTable_STRUCT_SIZE,
    .extension_start = nullptr,
    .instance_struct_size = PJRT_Memory_STRUCT_SIZE,
    .get_user_data = GetUserData,
    .set_user_data = SetUserData,
};

}  // namespace

MemoryHandle::MemoryHandle(PJRT_Client* c, PJRT_Device* d, PjRtMemorySpace* m)
    : PJRT_Memory{&kTable}, client(c), device(d), memory_space(m) {}

MemoryHandle::~MemoryHandle() {
  for (const auto& [key, entry] : user_data) {
    if (entry.destructor != nullptr) entry.destructor(entry.data);
  }
}

absl::Status MemoryId(PJRT_Memory_Id_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.memory, "memory"));
  args.id = Impl(args.memory)->memory_space->id();
  return absl::OkStatus();
}

absl::Status MemoryKind(PJRT_Memory_Kind_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.memory, "memory"));
  const absl::string_view kind = Impl(args.memory)->memory_space->kind();
  args.kind = kind.data();
  args.kind_size = kind.size();
  return absl::OkStatus();
}

absl::Status MemoryKindId(PJRT_Memory_Kind_Id_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.memory, "memory"));
  args.kind_id = Impl(args.memory)->memory_space->kind_id();
  return absl::OkStatus();
}

absl::Status MemoryDebugString(PJRT_Memory_DebugString_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.memory, "memory"));
  const absl::string_view text = Impl(args.memory)->memory_space->DebugString();
  args.debug_string = text.data();
  args.debug_string_size = text.size();
  return absl::OkStatus();
}

absl::Status MemoryToString(PJRT_Memory_ToString_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.memory, "memory"));
  const absl::string_view text = Impl(args.memory)->memory_space->ToString();
  args.to_string = text.data();
  args.to_string_size = text.size();
  return absl::OkStatus();
}

absl::Status MemoryAddressableByDevices(
    PJRT_Memory_AddressableByDevices_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.memory, "memory"));
  args.devices = &Impl(args.memory)->device;
  args.num_devices = 1;
  return absl::OkStatus();
}

}  // namespace xla::pjrt
