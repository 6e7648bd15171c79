// CacheFolder: a folder of entries that threads and processes share, bounded in
// size. What the entries contain is their users' concern.
#ifndef XLA_BACKENDS_CACHE_CACHE_FOLDER_H_
#define XLA_BACKENDS_CACHE_CACHE_FOLDER_H_

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla {

// An entry is one file, `NAME.program`. It is written under another name and
// then renamed, so that a reader finds all of it or nothing, and its time of
// modification is that of its last use. Other files in the folder are left
// alone. The folder is made when the first entry is written, for its user
// alone (0700). Thread safe, also among processes.
class CacheFolder {
 public:
  // `path` may be relative to the present working directory.
  CacheFolder(const std::string& path, int64_t max_bytes);
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  const std::string& path() const { return path_; }
  int64_t max_bytes() const { return max_bytes_; }

  // Returns an entry and marks it as used now. Errors: NotFound;
  // PermissionDenied for a folder in which other users may write;
  // InvalidArgument for what is no file or larger than all entries may be;
  // those of the file system.
  absl::StatusOr<std::string> Read(absl::string_view name);

  // Makes the parts, one after the other, the entry of this name. If all
  // entries would then have more than max_bytes(), first removes those whose
  // last use is longest ago, until an eighth is free, and returns how many it
  // removed. A process counts what others write only now and then, when it has
  // written a sixty-fourth of the bound itself. Errors: OutOfRange for an entry
  // that alone exceeds max_bytes(); PermissionDenied as above;
  // DeadlineExceeded if another process holds the folder's lock for a second;
  // those of the file system.
  absl::StatusOr<int64_t> Write(absl::string_view name,
                                absl::Span<const absl::string_view> parts);

  // Removes an entry if it is there.
  void Remove(absl::string_view name);

 private:
  // Removes entries, if necessary, until there is room for one of `bytes`
  // bytes; returns their number.
  absl::StatusOr<int64_t> MakeRoom(int folder, int64_t bytes);

  const std::string path_;
  const int64_t max_bytes_;
  std::mutex mutex_;  // guards the members below
  // The bytes of all entries, as far as they are known; nullopt before the
  // first look.
  std::optional<int64_t> total_bytes_;
  int64_t bytes_since_look_ = 0;  // written by this
};

}  // namespace xla

#endif  // XLA_BACKENDS_CACHE_CACHE_FOLDER_H_
