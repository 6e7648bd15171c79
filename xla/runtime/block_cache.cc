// Blocks are mapped one by one. The kept blocks form two lists, by age and by
// size, whose links are in the blocks themselves.
#include "xla/runtime/block_cache.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "xla/base/checked_math.h"
#include "xla/runtime/memory_chunk.h"

namespace xla {
namespace {

// The default limit: 1 GiB, or an eighth of the machine's memory if that is
// less.
constexpr int64_t kDefaultLimit = int64_t{1} << 30;
constexpr int64_t kShareOfMachine = 8;
// A process with limited address space keeps at most 1/16 of it, since the rest
// of the program cannot use addresses that are kept here.
constexpr int64_t kShareOfAddresses = 16;
// The bytes that are always kept without asking the system for its limit.
constexpr int64_t kAlwaysKept = int64_t{32} << 20;

int64_t KeepableOf(int64_t bytes) {
  if (bytes <= kAlwaysKept) return bytes;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return bytes;
  }
  return std::min<int64_t>(
      bytes,
      std::max<int64_t>(kAlwaysKept, limit.rlim_cur / kShareOfAddresses));
}

char* Map(int64_t bytes) {
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return block == MAP_FAILED ? nullptr : static_cast<char*>(block);
}

// Maps a block at a multiple of a huge page if there are addresses to spare.
// Bytes beyond `used` are never touched, so no huge page reaches beyond it.
char* MapHuge(int64_t bytes, int64_t used) {
  constexpr int64_t kHuge = BlockCache::kHugePageBytes;
  char* start = Map(bytes + kHuge);
  if (start == nullptr) return Map(bytes);
  const int64_t before =
      -reinterpret_cast<uintptr_t>(start) & uintptr_t{kHuge - 1};
  if (before > 0) munmap(start, before);
  munmap(start + before + bytes, kHuge - before);
  // This may fail: without huge pages everything works, but slower.
  madvise(start + before, RoundDownTo(used, kHuge), MADV_HUGEPAGE);
  return start + before;
}

char* MapBlock(int64_t bytes, int64_t used) {
  return used >= BlockCache::kHugePageBytes ? MapHuge(bytes, used) : Map(bytes);
}

}  // namespace

BlockCache& BlockCache::Global() {
  static BlockCache* const cache = new BlockCache(DefaultLimit());
  return *cache;
}

int64_t BlockCache::DefaultLimit() {
  int64_t bytes = 0;
  const char* set = std::getenv("TESSERA_KEEP_BYTES");
  if (set != nullptr && absl::SimpleAtoi(set, &bytes) && bytes >= 0) {
    return bytes;
  }
  return std::min(kDefaultLimit, MachineMemoryBytes() / kShareOfMachine);
}

// Size class 8 e + s has (8 + s) * 2^(e + 13) bytes, s from 0 to 7.
int BlockCache::ClassOf(int64_t bytes) {
  if (bytes < kMinBytes || bytes > ClassBytes(kClasses - 1)) return -1;
  const int exponent = std::bit_width(static_cast<uint64_t>(bytes)) - 17;
  const int64_t step = int64_t{1} << (exponent + 13);
  const int64_t steps = CeilOfRatio(bytes, step);  // 8 to 16
  return static_cast<int>(8 * exponent + steps - 8);
}

int64_t BlockCache::ClassBytes(int size_class) {
  return int64_t{8 + size_class % 8} << (size_class / 8 + 13);
}

void BlockCache::Unlink(Kept* block) {
  (block->newer != nullptr ? block->newer->older : newest_) = block->older;
  (block->older != nullptr ? block->older->newer : oldest_) = block->newer;
  (block->previous_of_class != nullptr ? block->previous_of_class->next_of_class
                                       : classes_[block->size_class]) =
      block->next_of_class;
  if (block->next_of_class != nullptr) {
    block->next_of_class->previous_of_class = block->previous_of_class;
  }
  kept_bytes_ -= block->bytes;
}

BlockCache::Kept* BlockCache::TakeBeyond(int64_t bytes) {
  Kept* taken = nullptr;
  while (kept_bytes_ > bytes) {
    Kept* const block = oldest_;
    Unlink(block);
    block->next_of_class = taken;
    taken = block;
  }
  return taken;
}

int64_t BlockCache::Unmap(Kept* blocks) {
  int64_t bytes = 0;
  while (blocks != nullptr) {
    Kept* const next = blocks->next_of_class;
    bytes += blocks->bytes;
    munmap(blocks, blocks->bytes);
    blocks = next;
  }
  return bytes;
}

void* BlockCache::Allocate(int64_t bytes) {
  const int size_class = ClassOf(bytes);
  if (size_class < 0) return nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (Kept* const block = classes_[size_class]) {
      Unlink(block);
      return block;
    }
  }
  char* block = MapBlock(ClassBytes(size_class), bytes);
  if (block == nullptr && Release() > 0) {
    block = MapBlock(ClassBytes(size_class), bytes);
  }
  return block;
}

void BlockCache::Free(void* memory, int64_t bytes) {
  const int size_class = ClassOf(bytes);
  const int64_t block_bytes = ClassBytes(size_class);
  Kept* unkept;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const int64_t limit =
        KeepableOf(std::min(limit_bytes_, kept_bytes_ + block_bytes));
    if (block_bytes <= limit) {
      Kept* const block = static_cast<Kept*>(memory);
      *block = {.newer = nullptr,
                .older = newest_,
                .next_of_class = classes_[size_class],
                .previous_of_class = nullptr,
                .bytes = block_bytes,
                .size_class = size_class};
      (newest_ != nullptr ? newest_->newer : oldest_) = block;
      newest_ = block;
      if (block->next_of_class != nullptr) {
        block->next_of_class->previous_of_class = block;
      }
      classes_[size_class] = block;
      kept_bytes_ += block_bytes;
      memory = nullptr;
    }
    unkept = TakeBeyond(limit);
  }
  if (memory != nullptr) munmap(memory, block_bytes);
  Unmap(unkept);
}

int64_t BlockCache::Release() {
  Kept* unkept;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    unkept = TakeBeyond(0);
  }
  return Unmap(unkept);
}

void BlockCache::SetLimit(int64_t limit_bytes) {
  Kept* unkept;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    limit_bytes_ = std::max<int64_t>(limit_bytes, 0);
    unkept = TakeBeyond(limit_bytes_);
  }
  Unmap(unkept);
}

int64_t BlockCache::limit_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return limit_bytes_;
}

int64_t BlockCache::kept_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return kept_bytes_;
}

int64_t ReleaseUnusedMemory() { return BlockCache::Global().Release(); }

}  // namespace xla
