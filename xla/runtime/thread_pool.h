// ThreadPool: the threads that programs run on which nobody waits for.
#ifndef XLA_RUNTIME_THREAD_POOL_H_
#define XLA_RUNTIME_THREAD_POOL_H_

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <list>
#include <mutex>

#include "absl/functional/any_invocable.h"

namespace xla {

// Runs tasks, first come first served, on at most `num_threads` threads at a
// time; those inside a BlockingSection do not count, and others take their
// place, so that a task may wait for what a later task does. Threads start when
// they are needed and end with the pool. Thread safe.
class ThreadPool {
 public:
  using Task = absl::AnyInvocable<void() &&>;

  // Stack of each worker: enough for the deepest nesting of calls that the
  // evaluator allows.
  static constexpr size_t kStackBytes = size_t{16} << 20;
  // Workers that wait are replaced until there are so many.
  static constexpr int kMaxThreads = 4096;

  // At least one thread.
  explicit ThreadPool(int num_threads);
  // Runs what was scheduled, also by the last tasks, then joins.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Runs `task` on a worker, or on this thread should the system refuse to
  // start the first one.
  void Schedule(Task task);

  int num_threads() const { return num_threads_; }
  // Threads alive, for tests.
  int started_threads() const;
  // The pool whose worker this thread is; null for others.
  static ThreadPool* Current();

 private:
  friend class BlockingSection;

  bool StartThread();  // with mutex_ held
  void StartIfNeeded();
  void WorkerLoop();
  void EnterBlocking();
  void LeaveBlocking();
  static void* ThreadMain(void* pool);

  const int num_threads_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::list<pthread_t> threads_;
  int running_ = 0;  // workers inside a task, without those that block
  int idle_ = 0;     // workers that wait for a task
  bool stopping_ = false;
};

// While one lives on a worker, that worker does not count as one that works.
// No effect on other threads. Used around waits and calls of foreign code.
class BlockingSection {
 public:
  BlockingSection() : pool_(ThreadPool::Current()) {
    if (pool_ != nullptr) pool_->EnterBlocking();
  }
  ~BlockingSection() {
    if (pool_ != nullptr) pool_->LeaveBlocking();
  }
  BlockingSection(const BlockingSection&) = delete;
  BlockingSection& operator=(const BlockingSection&) = delete;

 private:
  ThreadPool* const pool_;
};

// CPUs that this process may use: affinity and the cgroup's quota, at least 1.
// The environment variable TESSERA_NUM_THREADS, a positive number, replaces it.
int DefaultThreadCount();

}  // namespace xla

#endif  // XLA_RUNTIME_THREAD_POOL_H_
