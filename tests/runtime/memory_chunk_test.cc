// MemoryChunk: sizes, accounts, deleters.
#include "xla/runtime/memory_chunk.h"

#include <cstdint>
#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(MemoryChunkTest, AllocatesAlignedAndCounts) {
  auto account = std::make_shared<MemoryAccount>(1000);
  {
    MemoryChunk chunk = MemoryChunk::Allocate(100, account).value();
    const MemoryChunk copy = chunk;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(chunk.data()) % 64, 0);
    EXPECT_EQ(copy.data(), chunk.data());
    EXPECT_EQ(account->bytes_in_use(), 100);
    chunk = MemoryChunk();
    EXPECT_EQ(account->bytes_in_use(), 100);
    EXPECT_EQ(MemoryChunk::Allocate(901, account).status().code(),
              absl::StatusCode::kResourceExhausted);
  }
  EXPECT_EQ(account->bytes_in_use(), 0);
  EXPECT_EQ(account->peak_bytes_in_use(), 100);
  EXPECT_EQ(account->num_allocs(), 1);
}

TEST(MemoryChunkTest, RefusesAbsurdSizes) {
  for (const int64_t bytes : {int64_t{-1}, INT64_MAX, int64_t{1} << 50}) {
    EXPECT_EQ(MemoryChunk::Allocate(bytes).status().code(),
              absl::StatusCode::kResourceExhausted);
  }
  EXPECT_NE(MemoryChunk::Allocate(0)->data(), nullptr);
}

TEST(MemoryChunkTest, BorrowedCallsItsDeleterOnce) {
  int memory = 0, deleted = 0;
  {
    const MemoryChunk chunk = MemoryChunk::Borrow(
        &memory, sizeof(memory), /*writable=*/false, [&] { ++deleted; });
    const MemoryChunk copy = chunk;
    EXPECT_FALSE(copy.writable());
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
}

}  // namespace
}  // namespace xla
