// The table of values by GlobalData handle.
#include "xla/client/global_data.h"

#include <atomic>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/client/buffers/buffer_transfer.h"
#include "xla/client/service.h"

namespace xla {
namespace {

absl::Status UnknownHandle(int64_t handle) {
  return absl::InvalidArgumentError(absl::StrCat(
      "global data handle ", handle,
      " is not held: it was deallocated, or belongs to another client"));
}

}  // namespace

GlobalDataHandle GlobalDataTable::Add(DeviceValues values) {
  static std::atomic<int64_t> next{1};
  GlobalDataHandle handle;
  handle.set_handle(next.fetch_add(1));
  std::lock_guard<std::mutex> lock(mutex_);
  entries_[handle.handle()].values = std::move(values);
  return handle;
}

absl::StatusOr<DeviceValues> GlobalDataTable::Find(
    const GlobalDataHandle& handle) const {
  std::lock_guard<std::mutex> lock(mutex_);
  auto entry = entries_.find(handle.handle());
  if (entry == entries_.end()) return UnknownHandle(handle.handle());
  return entry->second.values;
}

absl::Status GlobalDataTable::Remove(const GlobalDataHandle& handle) {
  // Declared before the lock, so that it is freed after the lock is released.
  decltype(entries_)::node_type removed;
  std::lock_guard<std::mutex> lock(mutex_);
  removed = entries_.extract(handle.handle());
  return removed.empty() ? UnknownHandle(handle.handle()) : absl::OkStatus();
}

absl::StatusOr<const ShapedBuffer*> GlobalDataTable::BufferOf(
    const GlobalDataHandle& handle, int replica,
    se::DeviceMemoryAllocator* allocator) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto entry = entries_.find(handle.handle());
  if (entry == entries_.end()) return UnknownHandle(handle.handle());
  const DeviceValues& values = entry->second.values;
  const bool shared = values.size() == 1;
  if (replica < 0 ||
      (!shared && static_cast<size_t>(replica) >= values.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("global data handle ", handle.handle(),
                     " has no value for replica ", replica));
  }
  auto& buffers = entry->second.buffers;
  auto found = buffers.find(replica);
  if (found == buffers.end()) {
    TF_ASSIGN_OR_RETURN(
        ScopedShapedBuffer copy,
        CopyToDevice(*values[shared ? 0 : replica], allocator, replica));
    found = buffers.emplace(replica, std::move(copy)).first;
  }
  return &found->second;
}

GlobalData::GlobalData(Service* parent, GlobalDataHandle handle)
    : table_(parent->global_data()), handle_(std::move(handle)) {}

GlobalData::~GlobalData() {
  if (auto table = table_.lock()) table->Remove(handle_).IgnoreError();
}

void GlobalData::Release(std::vector<std::unique_ptr<GlobalData>> instances) {
  instances.clear();
}

}  // namespace xla
