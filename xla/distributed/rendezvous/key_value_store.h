// KeyValueStore: where the processes of a job leave texts for each other before
// they are connected.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_KEY_VALUE_STORE_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_KEY_VALUE_STORE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace xla::distributed {

// A key is written once and lives as long as the job. Values are any bytes.
// Thread safe.
class KeyValueStore {
 public:
  virtual ~KeyValueStore() = default;
  // Errors: AlreadyExists; those of the store.
  virtual absl::Status Put(absl::string_view key, absl::string_view value) = 0;
  // Waits for the key. Errors: DeadlineExceeded; those of the store.
  virtual absl::StatusOr<std::string> Get(absl::string_view key,
                                          absl::Duration timeout) = 0;
  // Errors: NotFound if the key is not there yet; Unimplemented.
  virtual absl::StatusOr<std::string> TryGet(absl::string_view key) = 0;
};

// A store of functions, such as the callbacks of a framework.
struct StoreFunctions {
  std::function<absl::Status(absl::string_view key, absl::string_view value)>
      put;
  std::function<absl::StatusOr<std::string>(absl::string_view key,
                                            absl::Duration timeout)>
      get;
  // May be null.
  std::function<absl::StatusOr<std::string>(absl::string_view key)> try_get;
};

class FunctionStore : public KeyValueStore {
 public:
  explicit FunctionStore(StoreFunctions functions)
      : functions_(std::move(functions)) {}
  absl::Status Put(absl::string_view key, absl::string_view value) override {
    return functions_.put(key, value);
  }
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override {
    return functions_.get(key, timeout);
  }
  absl::StatusOr<std::string> TryGet(absl::string_view key) override {
    if (functions_.try_get != nullptr) return functions_.try_get(key);
    return absl::UnimplementedError("the store cannot look for a key");
  }

 private:
  const StoreFunctions functions_;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_KEY_VALUE_STORE_H_
