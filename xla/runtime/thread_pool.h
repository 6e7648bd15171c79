// ThreadPool: the one set of threads of a client, for programs that nobody
// waits for and for the loops of all programs.
#ifndef XLA_RUNTIME_THREAD_POOL_H_
#define XLA_RUNTIME_THREAD_POOL_H_

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "xla/runtime/event_count.h"
#include "xla/runtime/loop_board.h"
#include "xla/runtime/parallel.h"

namespace xla {

// At most `num_threads` threads run tasks and loops at a time, the pool's own
// and those of callers of ParallelFor together; each holds one of as many
// places. Tasks go first come first served, before loops that want help. Those
// inside a BlockingSection hold no place, and others take theirs, so that a
// task may wait for what a later task does; one that comes back from there does
// not wait for a place, but a helper of a loop leaves in its stead.
//
// Workers start when they are needed and end with the pool; idle ones look for
// work for some tens of microseconds, if there is more than one processor, and
// then sleep. A forked child has no workers: loops run on their caller there,
// provided that the pool was idle at the fork, and tasks not at all. Thread
// safe.
class ThreadPool : public ParallelRunner {
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
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Runs `task` on a worker, or on this thread should the system refuse to
  // start the first one.
  void Schedule(Task task);

  // Runs the loop on this thread and on idle workers. A thread of the host
  // waits for a place first, and so must hold nothing that running tasks wait
  // for outside a BlockingSection. Loops may nest; within a loop or task of
  // another pool they run on this thread alone. Each thread first runs a range
  // of its own, in order, which as far as possible is the same from one loop of
  // so many indices to the next, for the sake of its cache.
  void ParallelFor(int64_t count, absl::FunctionRef<void(int64_t)> fn) override;

  int num_threads() const override { return num_threads_; }
  // Threads alive, for tests.
  int started_threads() const;
  // The pool whose worker this thread is; null for others.
  static ThreadPool* Current();

 private:
  friend class BlockingSection;
  class Counted;

  // Places.
  bool TryTakePlace();
  void TakePlace();
  void ReturnPlace();

  // Workers.
  bool StartThread();    // with mutex_ held
  void StartForTasks();  // with mutex_ held
  void StartFor(int64_t wanted);
  bool HasWork() const;
  void WakeForWork();
  void CallHelpers(int64_t wanted);
  void WorkerLoop(int number);
  bool RunTask();
  bool HelpLoops(int& seat);
  bool SpinForWork();
  static void* ThreadMain(void* pool);

  const int num_threads_;
  const bool spins_;
  LoopBoard loops_;

  std::atomic<int> running_{0};   // places taken
  std::atomic<int> callers_{0};   // threads that wait for one
  std::atomic<int> spinning_{0};  // workers that look for work
  std::atomic<int> idle_{0};      // workers without any, asleep or not
  std::atomic<int> blocked_{0};   // workers in BlockingSections
  std::atomic<int64_t> queued_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> refused_{false};  // the system started no thread last time
  EventCount work_;                   // idle workers
  EventCount places_;                 // callers

  mutable std::mutex mutex_;  // guards those below
  std::deque<Task> tasks_;
  std::list<pthread_t> threads_;
  int numbered_ = 0;
};

// While one lives on a thread that holds a place of a pool, it does not. No
// effect on other threads. Used around waits and calls of foreign code.
class BlockingSection {
 public:
  BlockingSection();
  ~BlockingSection();
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
