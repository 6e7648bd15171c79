// FileStore: a key-value store in a directory that all processes see.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_FILE_STORE_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_FILE_STORE_H_

#include <memory>
#include <string>
#include <utility>

#include "xla/distributed/rendezvous/key_value_store.h"

namespace xla::distributed {

class FileStore : public KeyValueStore {
 public:
  // Finds the other processes of the job in `directory`, which is made if it is
  // missing, and waits for them. Each job has a directory of its own below it,
  // so that one may follow the other with the same `directory`; two jobs at the
  // same time may not share it. Errors: DeadlineExceeded that names the
  // processes which did not come; those of files.
  static absl::StatusOr<std::unique_ptr<FileStore>> Open(
      const std::string& directory, int process, int num_processes,
      absl::Duration timeout);

  absl::Status Put(absl::string_view key, absl::string_view value) override;
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override;
  absl::StatusOr<std::string> TryGet(absl::string_view key) override;

 private:
  explicit FileStore(std::string directory)
      : directory_(std::move(directory)) {}
  std::string PathOf(absl::string_view key) const;

  const std::string directory_;  // of the job
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_FILE_STORE_H_
