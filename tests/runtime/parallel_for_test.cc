// ThreadPool's loops: each index once, never more threads than allowed,
// nesting, waits, and many callers at once.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "xla/runtime/event.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

// Counts how many threads are inside at a time.
class Gauge {
 public:
  void Enter() {
    const int now = ++inside_;
    int seen = most_;
    while (seen < now && !most_.compare_exchange_weak(seen, now)) {
    }
  }
  void Leave() { --inside_; }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0};
};

void Work(int amount) {
  for (int i = 0; i < amount; ++i) asm volatile("" ::: "memory");
}

void OnThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
}

TEST(ParallelForTest, RunsEachIndexOnce) {
  for (const int num_threads : {1, 2, 3, 7}) {
    ThreadPool pool(num_threads);
    for (const int64_t count : {0, 1, 2, 3, 17, 1000, 4097}) {
      std::vector<std::atomic<int>> runs(count);
      pool.ParallelFor(count, [&](int64_t i) { ++runs[i]; });
      for (const std::atomic<int>& times : runs) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelForTest, StartsNoThreadWithoutALoopToSplit) {
  ThreadPool pool(4);
  int runs = 0;
  pool.ParallelFor(1, [&](int64_t) { ++runs; });
  pool.ParallelFor(0, [&](int64_t) { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(pool.started_threads(), 0);
  pool.ParallelFor(100, [](int64_t) {});
  EXPECT_LE(pool.started_threads(), 3);  // this thread is the fourth
  ThreadPool alone(1);
  alone.ParallelFor(100, [](int64_t) {});
  EXPECT_EQ(alone.started_threads(), 0);
}

TEST(ParallelForTest, WorkersHelp) {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  // The loop ends only if two threads run it.
  pool.ParallelFor(2, [&](int64_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ParallelForTest, NeverMoreThreadsThanAllowed) {
  for (const int num_threads : {1, 2, 3}) {
    Gauge gauge;
    {
      ThreadPool pool(num_threads);
      OnThreads(6, [&](int) {
        for (int repeat = 0; repeat < 60; ++repeat) {
          pool.ParallelFor(8, [&](int64_t) {
            gauge.Enter();
            Work(300);
            gauge.Leave();
          });
          pool.Schedule([&] {
            gauge.Enter();
            Work(300);
            gauge.Leave();
            pool.ParallelFor(5, [&](int64_t) {
              gauge.Enter();
              Work(100);
              gauge.Leave();
            });
          });
        }
      });
      EXPECT_LE(pool.started_threads(), num_threads);
    }
    EXPECT_LE(gauge.most(), num_threads);
  }
}

int64_t Nest(ThreadPool& pool, int depth) {
  if (depth == 0) return 1;
  std::atomic<int64_t> leaves{0};
  pool.ParallelFor(3, [&](int64_t) { leaves += Nest(pool, depth - 1); });
  return leaves;
}

TEST(ParallelForTest, LoopsNest) {
  for (const int num_threads : {1, 2, 4}) {
    ThreadPool pool(num_threads);
    EXPECT_EQ(Nest(pool, 6), 729);
    std::atomic<int64_t> total{0};
    OnThreads(3, [&](int) { total += Nest(pool, 4); });
    EXPECT_EQ(total, 3 * 81);
  }
}

TEST(ParallelForTest, MoreLoopsThanTheBoardHas) {
  ThreadPool pool(2);
  const std::function<void(int)> deep = [&](int depth) {
    if (depth == 0) return;
    pool.ParallelFor(2, [&](int64_t i) {
      if (i == 0) deep(depth - 1);
    });
  };
  deep(3 * LoopBoard::kMaxLoops);
}

// What a loop waits for may need the only place.
TEST(ParallelForTest, LoopsMayWaitForTasks) {
  for (const int num_threads : {1, 2}) {
    ThreadPool pool(num_threads);
    std::atomic<int> done{0};
    OnThreads(4, [&](int) {
      pool.ParallelFor(6, [&](int64_t) {
        const Event event = Event::Pending();
        pool.Schedule([&, event] {
          pool.ParallelFor(2, [&](int64_t) { ++done; });
          event.Set();
        });
        EXPECT_TRUE(event.Await().ok());
      });
    });
    EXPECT_EQ(done, 4 * 6 * 2);
  }
}

TEST(ParallelForTest, LoopsInsideABlockingSectionCount) {
  Gauge gauge;
  ThreadPool pool(2);
  OnThreads(4, [&](int) {
    pool.ParallelFor(4, [&](int64_t) {
      BlockingSection section;
      pool.ParallelFor(4, [&](int64_t) {
        gauge.Enter();
        Work(200);
        gauge.Leave();
      });
    });
  });
  EXPECT_LE(gauge.most(), 2);
}

TEST(ParallelForTest, OnePoolWithinAnother) {
  ThreadPool outer(2), inner(2);
  std::atomic<int> runs{0};
  OnThreads(3, [&](int) {
    outer.ParallelFor(5, [&](int64_t) {
      inner.ParallelFor(
          5, [&](int64_t) { outer.ParallelFor(2, [&](int64_t) { ++runs; }); });
    });
  });
  EXPECT_EQ(runs, 3 * 5 * 5 * 2);
}

#if !defined(TESSERA_SANITIZE_THREAD)
TEST(ParallelForTest, AForkedChildRunsLoopsAlone) {
  ThreadPool pool(3);
  pool.ParallelFor(100, [](int64_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> runs{0};
    pool.ParallelFor(100, [&](int64_t) { ++runs; });
    _exit(runs == 100 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

// Workers fall asleep in between; loops and tasks of all sizes must wake them.
TEST(ParallelForTest, NoWakeUpIsLost) {
  ThreadPool pool(3);
  std::atomic<int64_t> runs{0};
  int64_t expected = 0;
  for (int i = 0; i < 200; ++i) {
    if (i % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    const Event first = Event::Pending(), second = Event::Pending();
    pool.Schedule([&, first] {
      pool.ParallelFor(7, [&](int64_t) { ++runs; });
      first.Set();
    });
    pool.Schedule([second] { second.Set(); });
    pool.ParallelFor(1 + i % 9, [&](int64_t) { ++runs; });
    expected += 7 + 1 + i % 9;
    EXPECT_TRUE(first.Await().ok());
    EXPECT_TRUE(second.Await().ok());
  }
  EXPECT_EQ(runs, expected);
}

}  // namespace
}  // namespace xla
