// BlockCache: which blocks come back, which are kept and for how long, and
// memory chunks on top of it.
#include "xla/runtime/block_cache.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/emulation.h"
#include "xla/runtime/memory_chunk.h"

namespace xla {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

TEST(BlockCacheTest, GivesTheSamePagesAgain) {
  BlockCache cache(64 * kMiB);
  void* first = cache.Allocate(5 * kMiB);
  std::memset(first, 7, 5 * kMiB);
  cache.Free(first, 5 * kMiB);
  EXPECT_EQ(cache.kept_bytes(), 5 * kMiB);
  void* second = cache.Allocate(5 * kMiB - 100);  // of the same size class
  EXPECT_EQ(second, first);
  EXPECT_EQ(static_cast<char*>(second)[5 * kMiB - 101], 7);
  EXPECT_EQ(cache.kept_bytes(), 0);
  void* third = cache.Allocate(5 * kMiB);
  EXPECT_NE(third, second);
  cache.Free(second, 5 * kMiB - 100);
  cache.Free(third, 5 * kMiB);
  EXPECT_EQ(cache.Allocate(5 * kMiB), third);  // the most recently freed
  EXPECT_EQ(cache.Allocate(5 * kMiB), second);
  cache.Free(second, 5 * kMiB);
  cache.Free(third, 5 * kMiB);
}

TEST(BlockCacheTest, WastesOneNinthAtMost) {
  BlockCache cache(int64_t{1} << 40);
  for (int64_t bytes = BlockCache::kMinBytes; bytes < 2000 * kMiB;
       bytes += bytes / 37) {
    void* block = cache.Allocate(bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 4096, 0);
    if (bytes >= BlockCache::kHugePageBytes) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % BlockCache::kHugePageBytes,
                0);
    }
    static_cast<char*>(block)[bytes - 1] = 1;
    cache.Free(block, bytes);
    EXPECT_GE(cache.kept_bytes(), bytes);
    EXPECT_LE(cache.kept_bytes(), bytes + bytes / 8);
    cache.Release();
  }
}

// Part of a huge page takes the memory of the whole.
TEST(BlockCacheTest, TakesNoMemoryBehindWhatIsUsed) {
  BlockCache cache(0);
  constexpr int64_t kBytes = 16 * kMiB + kMiB / 4;  // of an 18 MiB size class
  char* block = static_cast<char*>(cache.Allocate(kBytes));
  ASSERT_NE(block, nullptr);
  std::memset(block, 1, kBytes);
  std::vector<unsigned char> pages((18 * kMiB - kBytes) / 4096);
  ASSERT_EQ(mincore(block + kBytes, pages.size() * 4096, pages.data()), 0);
  for (const unsigned char page : pages) EXPECT_EQ(page & 1, 0);
  cache.Free(block, kBytes);
}

TEST(BlockCacheTest, RefusesSizesThatAreNotItsOwn) {
  BlockCache cache(kMiB);
  for (const int64_t bytes :
       {int64_t{-1}, int64_t{0}, BlockCache::kMinBytes - 1, INT64_MAX,
        (int64_t{1} << 48) + 1, int64_t{1} << 48}) {
    EXPECT_EQ(cache.Allocate(bytes), nullptr) << bytes;
  }
}

TEST(BlockCacheTest, KeepsWhatFitsAndTheNewest) {
  BlockCache cache(3 * kMiB);
  void* blocks[4];
  for (void*& block : blocks) block = cache.Allocate(kMiB);
  for (void* block : blocks) cache.Free(block, kMiB);
  EXPECT_EQ(cache.kept_bytes(), 3 * kMiB);
  EXPECT_EQ(cache.Allocate(kMiB), blocks[3]);
  EXPECT_EQ(cache.Allocate(kMiB), blocks[2]);
  EXPECT_EQ(cache.Allocate(kMiB), blocks[1]);
  for (int i = 1; i < 4; ++i) cache.Free(blocks[i], kMiB);

  void* large = cache.Allocate(4 * kMiB);
  cache.Free(large, 4 * kMiB);  // exceeds the limit
  EXPECT_EQ(cache.kept_bytes(), 3 * kMiB);
  cache.SetLimit(2 * kMiB);
  EXPECT_EQ(cache.kept_bytes(), 2 * kMiB);
  EXPECT_EQ(cache.Release(), 2 * kMiB);
  EXPECT_EQ(cache.kept_bytes(), 0);
  cache.SetLimit(0);
  void* block = cache.Allocate(kMiB);
  cache.Free(block, kMiB);
  EXPECT_EQ(cache.kept_bytes(), 0);
}

TEST(BlockCacheTest, ManyThreadsShareIt) {
  BlockCache cache(8 * kMiB);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      std::mt19937 random(t);
      std::vector<std::pair<char*, int64_t>> mine;
      for (int i = 0; i < 2000; ++i) {
        if (mine.size() < 6) {
          const int64_t bytes = (64 << 10) + random() % (1 << 20);
          char* block = static_cast<char*>(cache.Allocate(bytes));
          ASSERT_NE(block, nullptr);
          block[0] = block[bytes - 1] = static_cast<char>(t);
          mine.push_back({block, bytes});
        } else {
          std::swap(mine[random() % 6], mine.back());
          const auto [block, bytes] = mine.back();
          mine.pop_back();
          EXPECT_EQ(block[0], static_cast<char>(t));
          EXPECT_EQ(block[bytes - 1], static_cast<char>(t));
          cache.Free(block, bytes);
        }
        if (i % 500 == 0) cache.Release();
      }
      for (const auto& [block, bytes] : mine) cache.Free(block, bytes);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache.kept_bytes(), 8 * kMiB);
}

TEST(BlockCacheTest, ChunksReuseAndAccountsCountWhatIsInUse) {
  if (!BlockCache::kEnabled) GTEST_SKIP() << "off under address sanitizer";
  BlockCache& cache = BlockCache::Global();
  ReleaseUnusedMemory();
  auto account = std::make_shared<MemoryAccount>(100 * kMiB);
  char* data;
  {
    const MemoryChunk chunk = *MemoryChunk::Allocate(3 * kMiB, account);
    data = chunk.data();
    EXPECT_EQ(account->bytes_in_use(), 3 * kMiB);
  }
  EXPECT_EQ(account->bytes_in_use(), 0);
  EXPECT_EQ(cache.kept_bytes(), 3 * kMiB);
  EXPECT_EQ(MemoryChunk::Allocate(3 * kMiB, account)->data(), data);
  EXPECT_EQ(account->peak_bytes_in_use(), 3 * kMiB);
  EXPECT_EQ(ReleaseUnusedMemory(), 3 * kMiB);
  if (IsEmulated()) GTEST_SKIP() << "the emulator takes any advice";
  // The pages are unmapped.
  EXPECT_NE(madvise(data, 4096, MADV_NORMAL), 0);
}

}  // namespace
}  // namespace xla
