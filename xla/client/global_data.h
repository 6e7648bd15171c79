// GlobalData: a value that a client holds for its programs, and the table of
// all such values. Client copies between literals and the table.
#ifndef XLA_CLIENT_GLOBAL_DATA_H_
#define XLA_CLIENT_GLOBAL_DATA_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/client/buffers/device_memory.h"
#include "xla/client/buffers/shaped_buffer.h"
#include "xla/core/literal/literal.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// One literal for all replicas, or one for each device of a run. Shared, so
// that a program can go on using values that were unregistered meanwhile.
using DeviceValues = std::vector<std::shared_ptr<const Literal>>;

// Handles are unique within the process. Thread safe.
class GlobalDataTable {
 public:
  GlobalDataHandle Add(DeviceValues values);
  // Errors: InvalidArgument for a handle that is unknown or was unregistered.
  absl::StatusOr<DeviceValues> Find(const GlobalDataHandle& handle) const;
  absl::Status Remove(const GlobalDataHandle& handle);
  // A copy of a replica's value in device memory; the first call makes it, and
  // it lives as long as the entry. Errors: those of Find; InvalidArgument for a
  // replica that does not exist.
  absl::StatusOr<const ShapedBuffer*> BufferOf(
      const GlobalDataHandle& handle, int replica,
      se::DeviceMemoryAllocator* allocator);

 private:
  struct Entry {
    DeviceValues values;
    std::map<int, ScopedShapedBuffer> buffers;
  };

  mutable std::mutex mutex_;
  std::map<int64_t, Entry> entries_;
};

class Service;

// The destructor unregisters the handle. May outlive the client.
class GlobalData {
 public:
  // Takes ownership of the handle.
  GlobalData(Service* parent, GlobalDataHandle handle);
  GlobalData(const GlobalData&) = delete;
  GlobalData& operator=(const GlobalData&) = delete;
  ~GlobalData();

  const GlobalDataHandle& handle() const { return handle_; }

  // Unregisters all of `instances`.
  static void Release(std::vector<std::unique_ptr<GlobalData>> instances);

 private:
  std::weak_ptr<GlobalDataTable> table_;
  const GlobalDataHandle handle_;
};

}  // namespace xla

#endif  // XLA_CLIENT_GLOBAL_DATA_H_
