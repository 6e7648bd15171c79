// Small types that the PJRT classes share: ids, attribute values, statistics.
#ifndef XLA_PJRT_PJRT_COMMON_H_
#define XLA_PJRT_PJRT_COMMON_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"

namespace xla {

// An int that does not convert to other kinds of ids.
template <typename Tag, typename T = int32_t>
class StrongInt {
 public:
  using ValueType = T;
  constexpr StrongInt() = default;
  constexpr explicit StrongInt(T value) : value_(value) {}
  constexpr T value() const { return value_; }
  constexpr auto operator<=>(const StrongInt&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const StrongInt& id) {
    return H::combine(std::move(h), id.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, StrongInt id) {
    return out << id.value_;
  }

 private:
  T value_ = 0;
};

// Numbers of a process and of a chip, which has one device here; numbers of a
// device: in the whole system, in this process, and in its
// hardware.
using PjRtProcessId = StrongInt<struct ProcessIdTag>;
using PjRtGlobalChipId = StrongInt<struct GlobalChipIdTag>;
using PjRtGlobalDeviceId = StrongInt<struct GlobalDeviceIdTag>;
using PjRtLocalDeviceId = StrongInt<struct LocalDeviceIdTag>;
using PjRtLocalHardwareId = StrongInt<struct LocalHardwareIdTag>;
using GlobalDeviceId = PjRtGlobalDeviceId;
using LocalDeviceId = PjRtLocalDeviceId;
using PjRtPlatformId = uint64_t;

template <typename Id>
using PjRtIdContainer = absl::InlinedVector<Id, 4>;
// Returns start, start + 1, ..., `size` of them.
template <typename Id>
PjRtIdContainer<Id> MakeContinuousIds(int start, int size) {
  PjRtIdContainer<Id> ids;
  for (int i = 0; i < size; ++i) ids.push_back(Id(start + i));
  return ids;
}

// Names arrays that go from one process to another.
using CrossHostTransferKey = StrongInt<struct CrossHostTransferKeyTag, int64_t>;

enum PjRtRuntimeType { kStreamExecutor, kTfrt };

using PjRtValueType =
    std::variant<std::string, bool, int64_t, std::vector<int64_t>, float>;
using PjRtDeviceAttribute = PjRtValueType;

// What a client that is behind the C API says of its plugin.
struct PjRtPluginAttributes {
  int64_t pjrt_c_api_major_version;
  int64_t pjrt_c_api_minor_version;
  absl::flat_hash_map<std::string, PjRtValueType> attributes;
};

// Memory from which transfers are fast. Thread safe.
class PjRtHostAllocator {
 public:
  virtual ~PjRtHostAllocator() = default;
  virtual size_t GetPreferredAlignment() const = 0;
  // Returns null if there is no such memory, and for an alignment that is not a
  // power of two.
  virtual void* Allocate(size_t size, size_t alignment) = 0;
  virtual void Free(void* ptr) = 0;
};

// The memory that one run of an executable needs.
struct CompiledMemoryStats {
  int64_t generated_code_size_in_bytes = 0;
  int64_t argument_size_in_bytes = 0;
  int64_t output_size_in_bytes = 0;
  int64_t alias_size_in_bytes = 0;  // of outputs that reuse arguments
  int64_t temp_size_in_bytes = 0;
  int64_t peak_memory_in_bytes = 0;
  int64_t total_size_in_bytes = 0;
  // The same in the host's memory space, which is empty for a host device.
  int64_t host_generated_code_size_in_bytes = 0;
  int64_t host_argument_size_in_bytes = 0;
  int64_t host_output_size_in_bytes = 0;
  int64_t host_alias_size_in_bytes = 0;
  int64_t host_temp_size_in_bytes = 0;
  std::string serialized_buffer_assignment;

  std::string DebugString() const;
};

}  // namespace xla

namespace tsl {

// The statistics of a device's allocator; sizes are in bytes.
struct AllocatorStats {
  int64_t num_allocs = 0;
  int64_t bytes_in_use = 0;
  int64_t peak_bytes_in_use = 0;
  int64_t largest_alloc_size = 0;
  std::optional<int64_t> bytes_limit;
  int64_t bytes_reserved = 0;
  int64_t peak_bytes_reserved = 0;
  std::optional<int64_t> bytes_reservable_limit;
  int64_t largest_free_block_bytes = 0;
  std::optional<int64_t> pool_bytes;
  std::optional<int64_t> peak_pool_bytes;

  std::string DebugString() const;
};

}  // namespace tsl

#endif  // XLA_PJRT_PJRT_COMMON_H_
