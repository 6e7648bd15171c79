// tsl::thread::ThreadPool: a fixed number of threads that run closures.
#ifndef COMPAT_XLA_TSL_PLATFORM_THREADPOOL_H_
#define COMPAT_XLA_TSL_PLATFORM_THREADPOOL_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "xla/base/logging.h"
#include "xla/tsl/platform/env.h"  // IWYU pragma: export

namespace tsl::thread {

// Thread safe.
class ThreadPool {
 public:
  enum class SchedulingStrategy { kAdaptive, kFixedBlockSize };

  // How ParallelFor divides work: into blocks of a size, or by what a unit
  // costs, in nanoseconds.
  class SchedulingParams {
   public:
    static SchedulingParams Fixed(int64_t block_size) {
      return SchedulingParams(SchedulingStrategy::kFixedBlockSize, std::nullopt,
                              block_size);
    }
    static SchedulingParams Adaptive(int64_t cost_per_unit) {
      return SchedulingParams(SchedulingStrategy::kAdaptive, cost_per_unit,
                              std::nullopt);
    }
    SchedulingParams(SchedulingStrategy strategy,
                     std::optional<int64_t> cost_per_unit,
                     std::optional<int64_t> block_size)
        : strategy_(strategy),
          cost_per_unit_(cost_per_unit),
          block_size_(block_size) {}

    SchedulingStrategy strategy() const { return strategy_; }
    std::optional<int64_t> cost_per_unit() const { return cost_per_unit_; }
    std::optional<int64_t> block_size() const { return block_size_; }

   private:
    SchedulingStrategy strategy_;
    std::optional<int64_t> cost_per_unit_;
    std::optional<int64_t> block_size_;
  };

  // At least one thread (CHECK). All pools use the threads of the system.
  ThreadPool(Env* env, const std::string& name, int num_threads) {
    CHECK_GE(num_threads, 1) << name;
    for (int i = 0; i < num_threads; ++i) {
      threads_.emplace_back([this, i] { Work(i); });
    }
  }
  ThreadPool(Env* env, const ThreadOptions& thread_options,
             const std::string& name, int num_threads,
             bool low_latency_hint = true)
      : ThreadPool(env, name, num_threads) {}
  // Waits until everything scheduled has run.
  ~ThreadPool() {
    {
      std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Schedule(std::function<void()> fn) {
    {
      std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(fn));
    }
    changed_.notify_one();
  }
  void ScheduleWithHint(std::function<void()> fn, int start, int limit) {
    Schedule(std::move(fn));
  }

  int NumThreads() const { return static_cast<int>(threads_.size()); }
  // The number of the calling thread; -1 if it is not of this pool.
  int CurrentThreadId() const {
    return current_.pool == this ? current_.number : -1;
  }
  int NumShardsUsedByFixedBlockSizeScheduling(int64_t total,
                                              int64_t block_size) const {
    if (block_size <= 0 || total <= 1 || total <= block_size ||
        NumThreads() == 1) {
      return 1;
    }
    return static_cast<int>((total + block_size - 1) / block_size);
  }

  // Run `fn` on parts of [0, total), also on the calling thread, and wait. The
  // last argument with ids is at most NumThreads(), and different for parts
  // that run at the same time.
  void ParallelFor(int64_t total, const SchedulingParams& params,
                   const std::function<void(int64_t, int64_t)>& fn) {
    ParallelForWithWorkerId(
        total, params,
        [&](int64_t begin, int64_t end, int) { fn(begin, end); });
  }
  void ParallelFor(int64_t total, int64_t cost_per_unit,
                   const std::function<void(int64_t, int64_t)>& fn) {
    ParallelFor(total, SchedulingParams::Adaptive(cost_per_unit), fn);
  }
  void ParallelFor(int64_t total,
                   const std::function<void(int64_t, int64_t)>& fn) {
    ParallelFor(total, SchedulingParams::Fixed(1), fn);
  }
  void TransformRangeConcurrently(
      int64_t block_size, int64_t total,
      const std::function<void(int64_t, int64_t)>& fn) {
    ParallelFor(total, SchedulingParams::Fixed(block_size), fn);
  }
  void ParallelForWithWorkerId(
      int64_t total, const SchedulingParams& params,
      const std::function<void(int64_t, int64_t, int)>& fn) {
    if (total <= 0) return;
    const int64_t block = BlockSize(total, params);
    const int64_t blocks = (total + block - 1) / block;
    std::atomic<int64_t> next{0};
    // A caller of this pool has its own number, others have the last one.
    const int caller =
        CurrentThreadId() >= 0 ? CurrentThreadId() : NumThreads();
    const auto run = [&](int worker) {
      for (int64_t i = next.fetch_add(1); i < blocks; i = next.fetch_add(1)) {
        fn(i * block, std::min(total, (i + 1) * block), worker);
      }
    };
    // The caller takes back the helpers that did not start, so that a pool
    // whose threads are all here does not wait for itself.
    struct Helpers {
      std::mutex mutex;
      std::condition_variable done;
      int running = 0;
      bool closed = false;
    };
    const auto helpers = std::make_shared<Helpers>();
    const int64_t count = std::min<int64_t>(NumThreads(), blocks - 1);
    for (int64_t i = 0; i < count; ++i) {
      Schedule([this, helpers, &run] {
        {
          std::lock_guard lock(helpers->mutex);
          if (helpers->closed) return;
          ++helpers->running;
        }
        run(CurrentThreadId());
        std::lock_guard lock(helpers->mutex);
        if (--helpers->running == 0) helpers->done.notify_all();
      });
    }
    run(caller);
    std::unique_lock lock(helpers->mutex);
    helpers->closed = true;
    helpers->done.wait(lock, [&] { return helpers->running == 0; });
  }

 private:
  struct Current {
    const ThreadPool* pool;
    int number;
  };

  int64_t BlockSize(int64_t total, const SchedulingParams& params) const {
    const int64_t share =
        std::max<int64_t>(1, total / (4 * int64_t{NumThreads()}));
    if (params.strategy() == SchedulingStrategy::kFixedBlockSize) {
      const int64_t size = params.block_size().value_or(share);
      return size <= 0 ? total : size;
    }
    // Smaller blocks would cost more to hand out than to run.
    constexpr int64_t kLeastNanoseconds = 10'000;
    const int64_t cost =
        std::max<int64_t>(1, params.cost_per_unit().value_or(1));
    return std::min(total, std::max(share, kLeastNanoseconds / cost));
  }

  void Work(int number) {
    current_ = {this, number};
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  static inline thread_local Current current_ = {nullptr, -1};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tsl::thread

#endif  // COMPAT_XLA_TSL_PLATFORM_THREADPOOL_H_
