// CompilationCache: keeps what compilers made in a folder, where this and other
// processes find it again.
#ifndef XLA_BACKENDS_CACHE_COMPILATION_CACHE_H_
#define XLA_BACKENDS_CACHE_COMPILATION_CACHE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cache/cache_folder.h"
#include "xla/backends/cache/cache_key.h"

namespace xla {

struct CompilationCacheOptions {
  // Empty: no cache. Unset: TESSERA_CACHE_DIR in the environment, else none.
  std::optional<std::string> folder = std::nullopt;
  // The bound of all entries together. Unset: TESSERA_CACHE_MAX_BYTES in the
  // environment, else CompilationCache::kDefaultMaxBytes.
  std::optional<int64_t> max_bytes = std::nullopt;

  friend bool operator==(const CompilationCacheOptions&,
                         const CompilationCacheOptions&) = default;
};

struct CompilationCacheStatistics {
  int64_t hits = 0;
  int64_t misses = 0;  // programs that were looked for and then compiled
  int64_t stores = 0;  // entries that were written
  int64_t evictions = 0;
  // Programs that were not looked for: the compiler has to call functions of
  // this process or to write dumps, or may not keep the code.
  int64_t uncached = 0;
  // Damaged entries, each of which is also a miss, and entries that could not
  // be written.
  int64_t errors = 0;

  // "1 hits, 0 misses, ...", in the order of the members.
  std::string ToString() const;
};

// No failure of the cache is its user's: what cannot be read is a miss, what
// cannot be written is not kept, with one warning in the log. Thread safe, also
// among processes.
class CompilationCache {
 public:
  static constexpr int64_t kDefaultMaxBytes = int64_t{1} << 30;

  // Returns null if the options and the environment name no folder. Errors:
  // InvalidArgument for a bound that is not a number of at least 1.
  static absl::StatusOr<std::shared_ptr<CompilationCache>> Open(
      const CompilationCacheOptions& options);

  // Uses the folder from the first call on.
  CompilationCache(const std::string& folder, int64_t max_bytes)
      : folder_(folder, max_bytes) {}

  const std::string& folder() const { return folder_.path(); }
  int64_t max_bytes() const { return folder_.max_bytes(); }

  // Passes what Store kept under the key to `load`. Returns whether there was
  // something and `load` succeeded, which is a hit; all else is a miss. An
  // entry that is damaged, or that `load` refuses, is removed.
  bool Load(const CacheKey& key,
            absl::FunctionRef<absl::Status(absl::string_view bytes)> load);

  // Keeps the bytes unless they alone exceed max_bytes(); may remove others.
  void Store(const CacheKey& key, absl::string_view bytes);

  // Counts a program that was not looked for.
  void CountUncached() { Count(&Counters::uncached); }

  CompilationCacheStatistics statistics() const { return counters_.Get(); }
  // Those of all caches that this process has or had.
  static CompilationCacheStatistics ProcessStatistics();

 private:
  struct Counters {
    std::atomic<int64_t> hits{0}, misses{0}, stores{0}, evictions{0},
        uncached{0}, errors{0};

    CompilationCacheStatistics Get() const;
  };

  static Counters& OfProcess();
  void Count(std::atomic<int64_t> Counters::* counter, int64_t number = 1);

  CacheFolder folder_;
  Counters counters_;
  std::atomic<bool> warned_{false};
};

}  // namespace xla

#endif  // XLA_BACKENDS_CACHE_COMPILATION_CACHE_H_
