// MemoryStore: a key-value store in the memory of one process.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_MEMORY_STORE_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_MEMORY_STORE_H_

#include <condition_variable>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "xla/distributed/rendezvous/key_value_store.h"

namespace xla::distributed {

class MemoryStore : public KeyValueStore {
 public:
  absl::Status Put(absl::string_view key, absl::string_view value) override;
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override;
  absl::StatusOr<std::string> TryGet(absl::string_view key) override;

 private:
  std::mutex mutex_;  // guards values_
  std::condition_variable changed_;
  absl::flat_hash_map<std::string, std::string> values_;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_MEMORY_STORE_H_
