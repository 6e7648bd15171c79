// Allocation, and the amount of memory that the machine has.
#include "xla/runtime/memory_chunk.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/runtime/block_cache.h"

namespace xla {
namespace {

void RaiseTo(std::atomic<int64_t>& most, int64_t value) {
  int64_t seen = most.load(std::memory_order_relaxed);
  while (seen < value &&
         !most.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

bool MemoryAccount::Add(int64_t bytes) {
  const int64_t now = in_use_.fetch_add(bytes) + bytes;
  if (now > limit_bytes_) {
    in_use_ -= bytes;
    return false;
  }
  allocations_.fetch_add(1, std::memory_order_relaxed);
  RaiseTo(peak_, now);
  RaiseTo(largest_, bytes);
  return true;
}

int64_t MachineMemoryBytes() {
  static const int64_t bytes = [] {
    const int64_t pages = sysconf(_SC_PHYS_PAGES);
    const int64_t page_bytes = sysconf(_SC_PAGE_SIZE);
    int64_t most =
        pages > 0 && page_bytes > 0 ? pages * page_bytes : int64_t{1} << 40;
    for (const char* path : {"/sys/fs/cgroup/memory.max",
                             "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
      std::FILE* const file = std::fopen(path, "re");
      if (file == nullptr) continue;
      long long limit;
      if (std::fscanf(file, "%lld", &limit) == 1 && limit > 0) {
        most = std::min<int64_t>(most, limit);
      }
      std::fclose(file);
    }
    return most;
  }();
  return bytes;
}

// Returns null when there is no memory.
MemoryChunk::Block* MemoryChunk::AllocateBlock(int64_t size_bytes) {
  if (BlockCache::kEnabled && size_bytes >= BlockCache::kMinBytes) {
    return AllocatePages(size_bytes);
  }
  // One allocation for the block, with the data at the next multiple of the
  // alignment. aligned_alloc is four times slower where malloc has a free
  // block.
  static_assert(alignof(Block) <= alignof(std::max_align_t));
  const int64_t rounded = RoundUpTo(size_bytes, kAlignment);
  const int64_t bytes = sizeof(Block) + kAlignment - 1 + rounded;
  void* memory = std::malloc(bytes);
  if (memory == nullptr && ReleaseUnusedMemory() > 0) {
    memory = std::malloc(bytes);
  }
  if (memory == nullptr) return nullptr;
  Block* block = new (memory) Block;
  const uintptr_t end = reinterpret_cast<uintptr_t>(block + 1);
  block->data =
      reinterpret_cast<char*>(block + 1) + (RoundUpTo(end, kAlignment) - end);
  block->kind = Block::kFollows;
  return block;
}

MemoryChunk::Block* MemoryChunk::AllocatePages(int64_t size_bytes) {
  void* memory = BlockCache::Global().Allocate(size_bytes);
  if (memory == nullptr) return nullptr;
  Block* block = new (std::nothrow) Block;
  if (block == nullptr) {
    BlockCache::Global().Free(memory, size_bytes);
    return nullptr;
  }
  block->data = static_cast<char*>(memory);
  block->kind = Block::kPages;
  return block;
}

absl::StatusOr<MemoryChunk> MemoryChunk::Allocate(
    int64_t size_bytes, std::shared_ptr<MemoryAccount> account) {
  const auto no_memory = [&](absl::string_view why) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of memory: ", size_bytes, " bytes for a buffer ", why));
  };
  if (size_bytes < 0 || size_bytes > MachineMemoryBytes()) {
    return no_memory(absl::StrCat("are more than the ", MachineMemoryBytes(),
                                  " of this machine"));
  }
  if (account != nullptr && !account->Add(size_bytes)) {
    return no_memory(absl::StrCat("beyond the ", account->bytes_in_use(),
                                  " in use of ", account->bytes_limit()));
  }
  Block* block = AllocateBlock(size_bytes);
  if (block == nullptr) {
    if (account != nullptr) account->Remove(size_bytes);
    return no_memory("could not be allocated");
  }
  block->size_bytes = size_bytes;
  block->account = std::move(account);
  return MemoryChunk(block);
}

MemoryChunk MemoryChunk::Borrow(void* data, int64_t size_bytes, bool writable,
                                Deleter deleter) {
  Block* block = new Block;
  block->data = static_cast<char*>(data);
  block->size_bytes = size_bytes;
  block->writable = writable;
  block->deleter = std::move(deleter);
  return MemoryChunk(block);
}

void MemoryChunk::Unref() {
  if (block_ == nullptr ||
      block_->count.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  if (block_->account != nullptr) block_->account->Remove(block_->size_bytes);
  switch (block_->kind) {
    case Block::kBorrowed:
      if (block_->deleter) std::move(block_->deleter)();
      delete block_;
      return;
    case Block::kPages:
      BlockCache::Global().Free(block_->data, block_->size_bytes);
      delete block_;
      return;
    case Block::kFollows:
      block_->~Block();
      std::free(block_);
      return;
  }
}

}  // namespace xla
