// MemoryChunk: the memory of one array, counted and owned or borrowed. Large
// ones come from the block cache.
#ifndef XLA_RUNTIME_MEMORY_CHUNK_H_
#define XLA_RUNTIME_MEMORY_CHUNK_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"

namespace xla {

// Counts the bytes that are allocated for one device. Thread safe.
class MemoryAccount {
 public:
  // Allocations beyond `limit_bytes` fail.
  explicit MemoryAccount(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // Returns false when the limit does not allow it.
  bool Add(int64_t bytes);
  void Remove(int64_t bytes) { in_use_ -= bytes; }

  int64_t bytes_in_use() const { return in_use_; }
  int64_t peak_bytes_in_use() const { return peak_; }
  int64_t largest_alloc_size() const { return largest_; }
  int64_t num_allocs() const { return allocations_; }
  int64_t bytes_limit() const { return limit_bytes_; }

 private:
  const int64_t limit_bytes_;
  std::atomic<int64_t> in_use_{0};
  std::atomic<int64_t> peak_{0};
  std::atomic<int64_t> largest_{0};
  std::atomic<int64_t> allocations_{0};
};

// Returns the bytes of memory that this process can hope to use: the machine's
// or the cgroup's.
int64_t MachineMemoryBytes();

// A shared handle: copies refer to the same memory, which the last of them
// frees. Null when default-constructed. Counting is thread safe; users must
// guard the contents.
class MemoryChunk {
 public:
  // Bytes: a cache line, and the width of the widest vector registers.
  static constexpr int64_t kAlignment = 64;
  using Deleter = absl::AnyInvocable<void() &&>;

  MemoryChunk() = default;
  // Returns uninitialized memory at a multiple of kAlignment, from the block
  // cache or, if small, in one allocation with its header; even a chunk of 0
  // bytes has an address. `account` may be null; it counts memory in use, not
  // what the cache keeps. Errors: ResourceExhausted, also for a negative size
  // and beyond the account's limit.
  static absl::StatusOr<MemoryChunk> Allocate(
      int64_t size_bytes, std::shared_ptr<MemoryAccount> account = nullptr);
  // Refers to foreign memory; `deleter`, if any, is called when it is no longer
  // used. `writable`: whether results may be written to it.
  static MemoryChunk Borrow(void* data, int64_t size_bytes, bool writable,
                            Deleter deleter);

  MemoryChunk(const MemoryChunk& other) : block_(other.block_) { Ref(); }
  MemoryChunk(MemoryChunk&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)) {}
  MemoryChunk& operator=(MemoryChunk other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~MemoryChunk() { Unref(); }

  bool is_null() const { return block_ == nullptr; }
  // Returns null for a null chunk.
  char* data() const { return block_ == nullptr ? nullptr : block_->data; }
  int64_t size_bytes() const {
    return block_ == nullptr ? 0 : block_->size_bytes;
  }
  bool writable() const { return block_ != nullptr && block_->writable; }
  // Pinned memory keeps its value until it is unpinned as often as pinned, for
  // readers whom no event tells of. No effect on a null chunk.
  void Pin() const {
    if (block_ != nullptr) block_->pins.fetch_add(1);
  }
  void Unpin() const {
    if (block_ != nullptr) block_->pins.fetch_sub(1);
  }
  bool pinned() const { return block_ != nullptr && block_->pins.load() > 0; }

 private:
  struct Block {
    std::atomic<int64_t> count{1};
    std::atomic<int64_t> pins{0};
    char* data = nullptr;
    int64_t size_bytes = 0;
    bool writable = true;
    // The place of the data: foreign memory, after this block, or the block
    // cache.
    enum { kBorrowed, kFollows, kPages } kind = kBorrowed;
    std::shared_ptr<MemoryAccount> account;
    Deleter deleter;
  };
  explicit MemoryChunk(Block* block) : block_(block) {}
  static Block* AllocateBlock(int64_t size_bytes);
  static Block* AllocatePages(int64_t size_bytes);
  void Ref() const {
    if (block_ != nullptr) {
      block_->count.fetch_add(1, std::memory_order_relaxed);
    }
  }
  void Unref();

  Block* block_ = nullptr;
};

}  // namespace xla

#endif  // XLA_RUNTIME_MEMORY_CHUNK_H_
