// Device memory under XLA's names: addresses, their owners, and allocators.
// Devices are part of the host, so device memory is ordinary memory.
#ifndef XLA_CLIENT_BUFFERS_DEVICE_MEMORY_H_
#define XLA_CLIENT_BUFFERS_DEVICE_MEMORY_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/client/buffers/platform.h"

namespace stream_executor {

// An address and a size in bytes; owns nothing.
class DeviceMemoryBase {
 public:
  explicit DeviceMemoryBase(void* opaque = nullptr, uint64_t size = 0)
      : opaque_(opaque), size_(size) {}

  bool is_null() const { return opaque_ == nullptr; }
  bool operator==(std::nullptr_t) const { return is_null(); }
  bool operator==(const DeviceMemoryBase& other) const {
    return opaque_ == other.opaque_ && size_ == other.size_;
  }
  bool IsSameAs(const DeviceMemoryBase& other) const { return *this == other; }
  uint64_t size() const { return size_; }
  void* opaque() const { return opaque_; }
  void Reset(void* opaque, uint64_t bytes) {
    *this = DeviceMemoryBase(opaque, bytes);
  }

 private:
  void* opaque_;
  uint64_t size_;
};

// Memory for `ElementCount()` elements.
template <typename T>
class DeviceMemory : public DeviceMemoryBase {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(const DeviceMemoryBase& other)
      : DeviceMemoryBase(other) {}
  static DeviceMemory MakeFromByteSize(void* opaque, uint64_t bytes) {
    return DeviceMemory(DeviceMemoryBase(opaque, bytes));
  }
  uint64_t ElementCount() const { return size() / sizeof(T); }
  T* base() const { return static_cast<T*>(opaque()); }
};

class DeviceMemoryAllocator;

// Owns memory; the destructor frees it with the allocator that it came from.
template <typename T>
class ScopedDeviceMemory {
 public:
  ScopedDeviceMemory() = default;
  ScopedDeviceMemory(DeviceMemoryBase memory, int device_ordinal,
                     DeviceMemoryAllocator* allocator)
      : memory_(memory),
        device_ordinal_(device_ordinal),
        allocator_(allocator) {}
  ScopedDeviceMemory(ScopedDeviceMemory&& other) noexcept
      : memory_(other.Release()),
        device_ordinal_(other.device_ordinal_),
        allocator_(other.allocator_) {}
  ScopedDeviceMemory& operator=(ScopedDeviceMemory&& other) noexcept {
    if (this == &other) return *this;
    Free().IgnoreError();
    memory_ = other.Release();
    device_ordinal_ = other.device_ordinal_;
    allocator_ = other.allocator_;
    return *this;
  }
  ~ScopedDeviceMemory() { Free().IgnoreError(); }

  bool is_null() const { return memory_.is_null(); }
  bool operator==(std::nullptr_t) const { return is_null(); }
  bool operator!=(std::nullptr_t) const { return !is_null(); }
  DeviceMemory<T> operator*() const { return cref(); }
  DeviceMemory<T> cref() const { return DeviceMemory<T>(memory_); }
  int device_ordinal() const { return device_ordinal_; }
  DeviceMemoryAllocator* allocator() const { return allocator_; }
  // Passes the ownership to the caller.
  DeviceMemoryBase Release() {
    return std::exchange(memory_, DeviceMemoryBase());
  }
  absl::Status Free();

 private:
  DeviceMemoryBase memory_;
  int device_ordinal_ = 0;
  DeviceMemoryAllocator* allocator_ = nullptr;
};

using OwningDeviceMemory = ScopedDeviceMemory<uint8_t>;

// Thread safe.
class DeviceMemoryAllocator {
 public:
  explicit DeviceMemoryAllocator(const Platform* platform)
      : platform_(platform) {}
  virtual ~DeviceMemoryAllocator() = default;

  // Returns null memory for 0 bytes. Errors: ResourceExhausted.
  virtual absl::StatusOr<OwningDeviceMemory> Allocate(int device_ordinal,
                                                      uint64_t size,
                                                      bool retry_on_failure,
                                                      int64_t memory_space) = 0;
  absl::StatusOr<OwningDeviceMemory> Allocate(int device_ordinal, uint64_t size,
                                              bool retry_on_failure = true) {
    return Allocate(device_ordinal, size, retry_on_failure,
                    /*memory_space=*/0);
  }
  virtual absl::Status Deallocate(int device_ordinal,
                                  DeviceMemoryBase memory) = 0;
  virtual bool AllowsAsynchronousDeallocation() const { return false; }
  const Platform* platform() const { return platform_; }

 private:
  const Platform* platform_;
};

// Allocates memory at addresses divisible by 64.
class HostMemoryAllocator : public DeviceMemoryAllocator {
 public:
  using DeviceMemoryAllocator::Allocate;
  using DeviceMemoryAllocator::DeviceMemoryAllocator;
  absl::StatusOr<OwningDeviceMemory> Allocate(int device_ordinal, uint64_t size,
                                              bool retry_on_failure,
                                              int64_t memory_space) override;
  absl::Status Deallocate(int device_ordinal, DeviceMemoryBase memory) override;
};

template <typename T>
absl::Status ScopedDeviceMemory<T>::Free() {
  const DeviceMemoryBase memory = Release();
  if (memory.is_null() || allocator_ == nullptr) return absl::OkStatus();
  return allocator_->Deallocate(device_ordinal_, memory);
}

// XLA's newer names.
using DeviceAddressBase = DeviceMemoryBase;
using DeviceAddressAllocator = DeviceMemoryAllocator;
template <typename T>
using DeviceAddress = DeviceMemory<T>;
template <typename T>
using ScopedDeviceAddress = ScopedDeviceMemory<T>;

}  // namespace stream_executor

namespace xla {
namespace se = ::stream_executor;

// Memory that is either owned or borrowed.
class MaybeOwningDeviceMemory {
 public:
  MaybeOwningDeviceMemory() = default;
  explicit MaybeOwningDeviceMemory(se::OwningDeviceMemory owned)
      : memory_(std::move(owned)) {}
  explicit MaybeOwningDeviceMemory(se::DeviceMemoryBase unowned)
      : memory_(unowned) {}
  MaybeOwningDeviceMemory(MaybeOwningDeviceMemory&&) = default;
  MaybeOwningDeviceMemory& operator=(MaybeOwningDeviceMemory&&) = default;
  MaybeOwningDeviceMemory& operator=(se::DeviceMemoryBase unowned) {
    memory_ = unowned;
    return *this;
  }
  MaybeOwningDeviceMemory& operator=(se::OwningDeviceMemory owned) {
    memory_ = std::move(owned);
    return *this;
  }

  bool HasOwnership() const {
    return std::holds_alternative<se::OwningDeviceMemory>(memory_);
  }
  se::DeviceMemoryBase AsDeviceMemoryBase() const {
    if (HasOwnership()) return *std::get<se::OwningDeviceMemory>(memory_);
    return std::get<se::DeviceMemoryBase>(memory_);
  }
  se::DeviceMemoryBase AsDeviceAddress() const { return AsDeviceMemoryBase(); }
  // Passes the ownership to the caller and keeps a borrowed address; nullopt if
  // the memory is borrowed already.
  std::optional<se::OwningDeviceMemory> Release() {
    if (!HasOwnership()) return std::nullopt;
    se::OwningDeviceMemory owned =
        std::move(std::get<se::OwningDeviceMemory>(memory_));
    memory_ = static_cast<se::DeviceMemoryBase>(*owned);
    return owned;
  }
  const se::OwningDeviceMemory* AsOwningDeviceMemory() const {
    return std::get_if<se::OwningDeviceMemory>(&memory_);
  }

 private:
  std::variant<se::DeviceMemoryBase, se::OwningDeviceMemory> memory_;
};

using MaybeOwningDeviceAddress = MaybeOwningDeviceMemory;

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_DEVICE_MEMORY_H_
