// BlockCache: large blocks of memory that were used and will be again. The
// system hands out fresh pages slowly (it clears each at the first touch), so
// freed blocks are kept, up to a bound, and given to who asks for as much.
#ifndef XLA_RUNTIME_BLOCK_CACHE_H_
#define XLA_RUNTIME_BLOCK_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "xla/base/sanitizers.h"

namespace xla {

// Blocks come in sizes with eight steps between powers of two, so that a ninth
// of one at most is not used (and not touched, hence no memory). Those from
// kHugePageBytes on start at a multiple of it and ask for huge pages, as many
// as the first user fills: the rest of the last one would be memory too. Thread
// safe.
class BlockCache {
 public:
  // Smaller blocks are better off with malloc.
  static constexpr int64_t kMinBytes = int64_t{64} << 10;
  static constexpr int64_t kHugePageBytes = int64_t{2} << 20;
  // Address sanitizer sees more when nothing is kept.
  static constexpr bool kEnabled = !kAddressSanitizer;

  // That of the process, which is never destroyed. Keeps DefaultLimit() bytes.
  static BlockCache& Global();
  // The environment variable TESSERA_KEEP_BYTES, a number of bytes, else an
  // eighth of the machine's memory but 1 GiB at most.
  static int64_t DefaultLimit();

  // Keeps at most `limit_bytes`; 0: nothing.
  explicit BlockCache(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~BlockCache() { Release(); }
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // Memory for `bytes`, not initialised, at the start of a page. Gives what is
  // kept back to the system when that refuses. Null when there is none, or for
  // less than kMinBytes.
  void* Allocate(int64_t bytes);
  // What Allocate gave for so many bytes.
  void Free(void* block, int64_t bytes);

  // Gives all that is kept back to the system. Returns how many bytes.
  int64_t Release();
  // Gives back what is beyond the new limit.
  void SetLimit(int64_t limit_bytes);
  int64_t limit_bytes() const;
  int64_t kept_bytes() const;

 private:
  // 64 KiB to 2^48 bytes.
  static constexpr int kClasses = 32 * 8 + 1;
  // At the start of each block that is kept.
  struct Kept {
    Kept* newer;
    Kept* older;
    Kept* next_of_class;  // older ones of the same size
    Kept* previous_of_class;
    int64_t bytes;
    int size_class;
  };

  static int ClassOf(int64_t bytes);
  static int64_t ClassBytes(int size_class);
  // A list of TakeBeyond; without mutex_. Returns their bytes.
  static int64_t Unmap(Kept* blocks);
  // All with mutex_ held.
  void Unlink(Kept* block);
  // Unlinks the oldest until `bytes` are kept at most; returns them, linked by
  // next_of_class.
  Kept* TakeBeyond(int64_t bytes);

  mutable std::mutex mutex_;  // guards all below
  int64_t limit_bytes_;
  int64_t kept_bytes_ = 0;
  Kept* newest_ = nullptr;
  Kept* oldest_ = nullptr;
  Kept* classes_[kClasses] = {};  // the newest of each
};

// Gives the memory that BlockCache::Global() keeps back to the system. Returns
// how many bytes that were. Thread safe.
int64_t ReleaseUnusedMemory();

}  // namespace xla

#endif  // XLA_RUNTIME_BLOCK_CACHE_H_
