// Allocation, and what is left of the machine's memory.
#include "xla/runtime/memory_chunk.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

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
      int64_t limit;
      if (std::ifstream(path) >> limit && limit > 0) {
        most = std::min(most, limit);
      }
    }
    return most;
  }();
  return bytes;
}

absl::StatusOr<MemoryChunk> MemoryChunk::Allocate(
    int64_t size_bytes, std::shared_ptr<MemoryAccount> account) {
  static_assert(sizeof(Block) % alignof(Block) == 0);
  // The data follows its block, at the next multiple of the alignment.
  constexpr int64_t kHeader =
      (sizeof(Block) + kAlignment - 1) / kAlignment * kAlignment;
  const auto no_memory = [&](absl::string_view why) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of memory: ", size_bytes, " bytes for a buffer ", why));
  };
  if (size_bytes < 0 || size_bytes > MachineMemoryBytes()) {
    return no_memory("are more than this machine has");
  }
  if (account != nullptr && !account->Add(size_bytes)) {
    return no_memory(absl::StrCat("beyond the ", account->bytes_in_use(),
                                  " in use of ", account->bytes_limit()));
  }
  const int64_t rounded =
      (size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, kHeader + rounded);
  if (memory == nullptr) {
    if (account != nullptr) account->Remove(size_bytes);
    return no_memory("could not be allocated");
  }
  Block* block = new (memory) Block;
  block->data = static_cast<char*>(memory) + kHeader;
  block->size_bytes = size_bytes;
  block->owned = true;
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
  if (!block_->owned) {
    if (block_->deleter) std::move(block_->deleter)();
    delete block_;
    return;
  }
  if (block_->account != nullptr) block_->account->Remove(block_->size_bytes);
  block_->~Block();
  std::free(block_);
}

}  // namespace xla
