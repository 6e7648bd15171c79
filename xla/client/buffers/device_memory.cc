// The allocator of host memory.
#include "xla/client/buffers/device_memory.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"

namespace stream_executor {

absl::StatusOr<OwningDeviceMemory> HostMemoryAllocator::Allocate(
    int device_ordinal, uint64_t size, bool retry_on_failure,
    int64_t memory_space) {
  if (size == 0) {
    return OwningDeviceMemory(DeviceMemoryBase(), device_ordinal, this);
  }
  // In bytes, as Executable::Output requires.
  constexpr uint64_t kAlignment = 64;
  const uint64_t rounded = xla::RoundUpTo(size, kAlignment);
  void* memory =
      rounded < size ? nullptr : std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for a buffer of ", size, " bytes on device ",
                     device_ordinal));
  }
  return OwningDeviceMemory(DeviceMemoryBase(memory, size), device_ordinal,
                            this);
}

absl::Status HostMemoryAllocator::Deallocate(int device_ordinal,
                                             DeviceMemoryBase memory) {
  std::free(memory.opaque());
  return absl::OkStatus();
}

}  // namespace stream_executor
