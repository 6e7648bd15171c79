// ThreadPool: numbers of threads, and tasks that wait for tasks.
#include "xla/runtime/thread_pool.h"

#include <atomic>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/runtime/cpu_count.h"
#include "xla/runtime/event.h"

namespace xla {
namespace {

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

TEST(ThreadPoolTest, AThreadThatSpinsHelpsWithLoops) {
  if (UsableCpus() < 2) GTEST_SKIP() << "threads spin on several CPUs alone";
  ThreadPool pool(2);
  std::atomic<bool> over{false};
  std::atomic<int> inside{0};
  const Event spins = Event::Pending();
  pool.Schedule([&] {
    spins.Set();
    while (!pool.SpinAndHelp([&] { return over.load(); })) {
    }
  });
  ASSERT_TRUE(spins.Await().ok());
  // With the task the pool's two places are taken, so nobody else can be in the
  // second iteration.
  pool.ParallelFor(2, [&](int64_t) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  over = true;
  EXPECT_EQ(inside, 2);
  EXPECT_LE(pool.started_threads(), 2);
}

TEST(ThreadPoolTest, AThreadStopsSpinningForTasks) {
  ThreadPool pool(1);
  const Event done = Event::Pending();
  pool.Schedule([&] {
    pool.Schedule([&] { done.Set(); });
    while (pool.SpinAndHelp([&] { return false; })) {
    }
  });
  EXPECT_TRUE(done.Await().ok());
}

// Each task waits for the next one, on a pool of one thread.
void NestTasks(ThreadPool& pool, int depth) {
  if (depth == 0) return;
  const Event done = Event::Pending();
  pool.Schedule([&pool, depth, done] {
    NestTasks(pool, depth - 1);
    done.Set();
  });
  EXPECT_TRUE(done.Await().ok());
}

TEST(ThreadPoolTest, TasksMayWaitForLaterOnes) {
  ThreadPool pool(1);
  NestTasks(pool, 20);
  EXPECT_GE(pool.started_threads(), 20);
}

}  // namespace
}  // namespace xla
