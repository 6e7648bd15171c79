// A map and a condition variable.
#include "xla/distributed/rendezvous/memory_store.h"

#include "absl/strings/str_cat.h"

namespace xla::distributed {

absl::Status MemoryStore::Put(absl::string_view key, absl::string_view value) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!values_.emplace(key, value).second) {
    return absl::AlreadyExistsError(absl::StrCat("key ", key, " is there"));
  }
  changed_.notify_all();
  return absl::OkStatus();
}

absl::StatusOr<std::string> MemoryStore::Get(absl::string_view key,
                                             absl::Duration timeout) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto deadline = absl::ToChronoTime(absl::Now() + timeout);
  while (true) {
    const auto it = values_.find(key);
    if (it != values_.end()) return it->second;
    if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) {
      return absl::DeadlineExceededError(absl::StrCat(
          "key ", key, " did not come in ", absl::FormatDuration(timeout)));
    }
  }
}

absl::StatusOr<std::string> MemoryStore::TryGet(absl::string_view key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = values_.find(key);
  if (it != values_.end()) return it->second;
  return absl::NotFoundError(absl::StrCat("there is no key ", key));
}

}  // namespace xla::distributed
