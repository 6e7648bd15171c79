#include "xla/runtime/event.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

TEST(EventTest, DefaultIsReadyAndOk) {
  const Event event;
  EXPECT_TRUE(event.IsReady());
  EXPECT_FALSE(event.IsFailed());
  EXPECT_TRUE(event.Await().ok());
  int calls = 0;
  event.OnReady([&](const absl::Status& status) { calls += status.ok(); });
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(event.Set());
}

TEST(EventTest, FailedIsReady) {
  const Event event = Event::Failed(absl::InternalError("why"));
  EXPECT_TRUE(event.IsFailed());
  EXPECT_EQ(event.Await().message(), "why");
  EXPECT_EQ(Event::Failed(absl::OkStatus()), Event());
}

TEST(EventTest, SetOnceCallsBack) {
  const Event event = Event::Pending();
  EXPECT_FALSE(event.IsReady());
  std::vector<std::string> seen;
  const Event copy = event;
  copy.OnReady([&](const absl::Status& status) {
    seen.push_back(std::string(status.message()));
  });
  EXPECT_TRUE(event.Set(absl::InternalError("first")));
  EXPECT_FALSE(event.Set());
  EXPECT_THAT(seen, testing::ElementsAre("first"));
  EXPECT_EQ(copy.GetStatus().message(), "first");
}

TEST(EventTest, AwaitFromManyThreads) {
  const Event event = Event::Pending();
  std::atomic<int> woken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { woken += event.Await().ok(); });
  }
  event.Set();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(woken, 8);
}

TEST(EventTest, AfterAllWaitsForAllAndTakesTheFirstError) {
  const std::vector<Event> events = {Event(), Event::Pending(),
                                     Event::Pending()};
  const Event all = Event::AfterAll(events);
  events[2].Set(absl::InternalError("third"));
  EXPECT_FALSE(all.IsReady());
  events[1].Set(absl::InternalError("second"));
  EXPECT_EQ(all.GetStatus().message(), "second");
  EXPECT_TRUE(Event::AfterAll({}).IsReady());
  EXPECT_EQ(Event::AfterAll(events).GetStatus().message(), "second");
}

TEST(ThreadPoolTest, StartsNoThreadBeforeWork) {
  ThreadPool pool(4);
  EXPECT_EQ(pool.started_threads(), 0);
  const Event done = Event::Pending();
  pool.Schedule([&] { done.Set(); });
  EXPECT_TRUE(done.Await().ok());
  EXPECT_EQ(pool.started_threads(), 1);
}

TEST(ThreadPoolTest, RunsAllBeforeItEnds) {
  std::atomic<int> runs{0};
  {
    ThreadPool pool(3);
    for (int i = 0; i < 200; ++i) {
      pool.Schedule([&] {
        ++runs;
        ThreadPool::Current()->Schedule([&] { ++runs; });
      });
    }
  }
  EXPECT_EQ(runs, 400);
}

TEST(ThreadPoolTest, NeverMoreAtWorkThanAllowed) {
  std::atomic<int> working{0}, most{0};
  {
    ThreadPool pool(2);
    for (int i = 0; i < 50; ++i) {
      pool.Schedule([&] {
        const int now = ++working;
        int seen = most;
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::yield();
        --working;
      });
    }
  }
  EXPECT_LE(most, 2);
}

// Each task waits for the next one, on a pool of one thread.
void Nest(ThreadPool& pool, int depth) {
  if (depth == 0) return;
  const Event done = Event::Pending();
  pool.Schedule([&pool, depth, done] {
    Nest(pool, depth - 1);
    done.Set();
  });
  EXPECT_TRUE(done.Await().ok());
}

TEST(ThreadPoolTest, TasksMayWaitForLaterOnes) {
  ThreadPool pool(1);
  Nest(pool, 20);
  EXPECT_GE(pool.started_threads(), 20);
}

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
    const MemoryChunk chunk =
        MemoryChunk::Borrow(&memory, sizeof(memory), /*writable=*/false,
                            [&] { ++deleted; });
    const MemoryChunk copy = chunk;
    EXPECT_FALSE(copy.writable());
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
}

}  // namespace
}  // namespace xla
