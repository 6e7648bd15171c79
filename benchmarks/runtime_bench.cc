// Times the runtime itself: splitting a loop, scheduling a task, and large
// outputs, new and reused.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

#include "benchmark/benchmark.h"
#include "xla/runtime/block_cache.h"
#include "xla/runtime/event.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

void Work(int amount) {
  for (int i = 0; i < amount; ++i) asm volatile("" ::: "memory");
}

// Runs loops one after the other, with workers awake. Arguments: the numbers of
// threads and of operations in each task.
void BM_ForkJoin(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  const int work = static_cast<int>(state.range(1));
  ThreadPool pool(threads);
  for (auto _ : state) {
    pool.ParallelFor(threads, [work](int64_t) { Work(work); });
  }
}
BENCHMARK(BM_ForkJoin)
    ->ArgsProduct({{1, 2, 4}, {0, 3000, 30000}})
    ->UseRealTime();

// Both threads must take part: the time from the call to its return.
void BM_ForkJoinOfTwo(benchmark::State& state) {
  ThreadPool pool(2);
  for (auto _ : state) {
    std::atomic<int> arrived{0};
    pool.ParallelFor(2, [&](int64_t) {
      ++arrived;
      while (arrived.load() < 2) Pause();
    });
  }
}
BENCHMARK(BM_ForkJoinOfTwo)->UseRealTime();

// The same after the worker has gone to sleep.
void BM_ForkJoinOfTwoAsleep(benchmark::State& state) {
  ThreadPool pool(2);
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    std::atomic<int> arrived{0};
    const auto start = std::chrono::steady_clock::now();
    pool.ParallelFor(2, [&](int64_t) {
      ++arrived;
      while (arrived.load() < 2) Pause();
    });
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  }
}
BENCHMARK(BM_ForkJoinOfTwoAsleep)->UseManualTime()->Iterations(2000);

void BM_ScheduleAndAwait(benchmark::State& state) {
  ThreadPool pool(2);
  for (auto _ : state) {
    const Event done = Event::Pending();
    pool.Schedule([done] { done.Set(); });
    done.Await().IgnoreError();
  }
}
BENCHMARK(BM_ScheduleAndAwait)->UseRealTime();

// Writes to a new chunk. Arguments: the size in bytes, and whether pages are
// kept.
void BM_Output(benchmark::State& state) {
  const int64_t bytes = state.range(0);
  BlockCache::Global().SetLimit(
      state.range(1) == 0 ? 0 : BlockCache::DefaultLimit());
  for (auto _ : state) {
    const MemoryChunk chunk = *MemoryChunk::Allocate(bytes);
    std::memset(chunk.data(), 1, bytes);
    benchmark::ClobberMemory();
  }
  ReleaseUnusedMemory();
  BlockCache::Global().SetLimit(BlockCache::DefaultLimit());
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK(BM_Output)
    ->ArgsProduct({{64 << 10, 1 << 20, 64 << 20}, {0, 1}})
    ->ArgNames({"bytes", "kept"})
    ->Unit(benchmark::kMicrosecond);

void BM_AllocateAndFree(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(MemoryChunk::Allocate(state.range(0))->data());
  }
}
BENCHMARK(BM_AllocateAndFree)
    ->Arg(64)
    ->Arg(32 << 10)
    ->Arg(64 << 10)
    ->Arg(64 << 20);

}  // namespace
}  // namespace xla
