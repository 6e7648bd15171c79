// Backend: the compiler, the memory and the devices of a client.
#ifndef XLA_CLIENT_BACKEND_H_
#define XLA_CLIENT_BACKEND_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/client/buffers/device_memory.h"
#include "xla/client/buffers/platform.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {

struct BackendOptions {
  se::Platform* platform = se::Platform::Host();
  int device_count = 1;
  // The devices that may be used; all devices if unset.
  std::optional<std::set<int>> allowed_devices;
};

// Devices are numbered from 0. They share the host's memory and consist only of
// their transfer queues, so more of them appear when a program with more
// replicas is compiled. Thread safe.
class Backend {
 public:
  static constexpr int kMaxDevices = Executable::kMaxDevices;

  Backend(std::unique_ptr<Compiler> compiler, BackendOptions options);
  // Wakes all threads that wait for a queue.
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  se::Platform* platform() const { return options_.platform; }
  Compiler* compiler() const { return compiler_.get(); }
  se::DeviceMemoryAllocator* memory_allocator() const { return &allocator_; }

  int device_count() const;
  int default_device_ordinal() const;
  bool device_ordinal_supported(int device_ordinal) const {
    return CheckDevice(device_ordinal).ok();
  }
  std::string device_name(int device_ordinal) const;
  bool devices_equivalent(int device_ordinal_a, int device_ordinal_b) const {
    return true;
  }

  // Errors: InvalidArgument for a device that does not exist or is not allowed.
  absl::Status CheckDevice(int64_t device_ordinal) const;
  // The seed that a run uses; 0 asks for a new one each time.
  uint64_t SeedFor(uint64_t seed) {
    return seed != 0 ? seed : next_seed_.fetch_add(1);
  }

  // Adds devices until there are `count`. Errors: InvalidArgument for more than
  // kMaxDevices.
  absl::Status EnsureDevices(int64_t count);
  // The infeed, outfeed and host channels of a device. Errors: those of
  // CheckDevice.
  absl::StatusOr<TransferQueues*> Queues(int64_t device_ordinal);

 private:
  const BackendOptions options_;
  const std::unique_ptr<Compiler> compiler_;
  mutable se::HostMemoryAllocator allocator_;
  std::atomic<uint64_t> next_seed_{0};
  mutable std::mutex mutex_;
  std::deque<TransferQueues> queues_;  // one for each device
};

}  // namespace xla

#endif  // XLA_CLIENT_BACKEND_H_
