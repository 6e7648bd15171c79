// BlockCache keeps large blocks of memory that were freed, up to a bound, and
// hands them out again: fresh pages from the system are slow, since it clears
// each at the first touch.
#ifndef XLA_RUNTIME_BLOCK_CACHE_H_
#define XLA_RUNTIME_BLOCK_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "xla/base/sanitizers.h"

namespace xla {

// Sizes of blocks have eight steps between powers of two, so that at most a
// ninth of a block is unused (and untouched, hence takes no memory). Blocks of
// at least kHugePageBytes start at a multiple of it and ask for as many huge
// pages as the first user fills: using the rest of the last one would take
// memory too. Thread safe.
class BlockCache {
 public:
  // The smallest block, in bytes; malloc is better for smaller ones.
  static constexpr int64_t kMinBytes = int64_t{64} << 10;
  static constexpr int64_t kHugePageBytes = int64_t{2} << 20;
  // AddressSanitizer finds more errors when nothing is kept.
  static constexpr bool kEnabled = !kAddressSanitizer;

  // Returns the cache of the process, which keeps DefaultLimit() bytes and is
  // never destroyed.
  static BlockCache& Global();
  // Returns the environment variable TESSERA_KEEP_BYTES, a number of bytes, or
  // else an eighth of the machine's memory, at most 1 GiB.
  static int64_t DefaultLimit();

  // Keeps at most `limit_bytes` bytes; 0 keeps nothing.
  explicit BlockCache(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~BlockCache() { Release(); }
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // Returns uninitialized memory for `bytes` that starts at a page. When the
  // system refuses, gives it what is kept and tries again. Returns null if that
  // fails too, or if `bytes` is less than kMinBytes.
  void* Allocate(int64_t bytes);
  // Frees a block that Allocate returned for the same number of bytes.
  void Free(void* block, int64_t bytes);

  // Gives all that is kept back to the system. Returns how many bytes.
  int64_t Release();
  // Gives back what exceeds the new limit.
  void SetLimit(int64_t limit_bytes);
  int64_t limit_bytes() const;
  int64_t kept_bytes() const;

 private:
  // The number of size classes, from 64 KiB to 2^48 bytes.
  static constexpr int kClasses = 32 * 8 + 1;
  // The header at the start of each kept block.
  struct Kept {
    Kept* newer;
    Kept* older;
    Kept* next_of_class;  // older blocks of the same size
    Kept* previous_of_class;
    int64_t bytes;
    int size_class;
  };

  static int ClassOf(int64_t bytes);
  static int64_t ClassBytes(int size_class);
  // Unmaps a list from TakeBeyond, without mutex_. Returns its bytes.
  static int64_t Unmap(Kept* blocks);
  // These require mutex_ to be held.
  void Unlink(Kept* block);
  // Unlinks the oldest blocks until at most `bytes` are kept; returns them,
  // linked by next_of_class.
  Kept* TakeBeyond(int64_t bytes);

  mutable std::mutex mutex_;  // guards all members below
  int64_t limit_bytes_;
  int64_t kept_bytes_ = 0;
  Kept* newest_ = nullptr;
  Kept* oldest_ = nullptr;
  Kept* classes_[kClasses] = {};  // the newest block of each
};

// Gives the memory that BlockCache::Global() keeps back to the system. Returns
// how many bytes that was. Thread safe.
int64_t ReleaseUnusedMemory();

}  // namespace xla

#endif  // XLA_RUNTIME_BLOCK_CACHE_H_
