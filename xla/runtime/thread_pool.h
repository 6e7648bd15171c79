// ThreadPool: the one set of threads of a client, for programs that run
// asynchronously and for the loops of all programs.
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

// At most `num_threads` threads run tasks and loops at a time, counting both
// the pool's own and callers of ParallelFor; each holds one of as many places.
// Tasks run in the order in which they were scheduled, and before loops that
// want help. A thread inside a BlockingSection holds no place, and another
// takes it, so that a task may wait for what a later task does. A thread that
// leaves the section does not wait for a place; a helper of a loop leaves
// instead.
//
// Workers start when they are needed and end with the pool. If there is more
// than one processor, idle ones look for work for some tens of microseconds
// before they sleep. A forked child has no workers: loops run on their caller
// there, provided that the pool was idle at the fork, and tasks do not run at
// all. Thread safe.
class ThreadPool : public ParallelRunner {
 public:
  using Task = absl::AnyInvocable<void() &&>;

  // The stack of each worker, in bytes: enough for the deepest nesting of calls
  // that the evaluator allows.
  static constexpr size_t kStackBytes = size_t{16} << 20;
  // Blocked workers are replaced up to this number of threads.
  static constexpr int kMaxThreads = 4096;

  // `num_threads` is at least one.
  explicit ThreadPool(int num_threads);
  // Runs all scheduled tasks, including those that the last tasks schedule,
  // then joins the workers.
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Runs `task` on a worker, or on this thread if the system refuses to start
  // even the first one.
  void Schedule(Task task);

  // Runs the loop on this thread and on idle workers. A thread that is not a
  // worker waits for a place first, so outside a BlockingSection it must hold
  // nothing that running tasks wait for. Loops may nest; within a loop or task
  // of another pool they run on this thread alone. Each thread first runs a
  // range of its own, in order, which is mostly the same from one loop of the
  // same count to the next and so likely in its cache.
  void ParallelFor(int64_t count, absl::FunctionRef<void(int64_t)> fn) override;

  // Waits for `done` to return true, for some tens of microseconds beyond the
  // last loop that it helps with meanwhile. Returns false once that is over,
  // and at once if tasks or callers want the place that this thread may hold,
  // or if there is one processor.
  bool SpinAndHelp(absl::FunctionRef<bool()> done);

  int num_threads() const override { return num_threads_; }
  // Returns the number of live threads, for tests.
  int started_threads() const;
  // Returns the pool whose worker this thread is; null for other threads.
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
  bool HelpWithPlace(int& seat, absl::FunctionRef<bool()> leave);
  bool SpinForWork();
  static void* ThreadMain(void* pool);

  const int num_threads_;
  const bool spins_;
  LoopBoard loops_;

  std::atomic<int> running_{0};   // places taken
  std::atomic<int> callers_{0};   // threads that wait for a place
  std::atomic<int> spinning_{0};  // workers that spin for work
  std::atomic<int> idle_{0};      // workers without work, spinning or asleep
  std::atomic<int> blocked_{0};   // workers in BlockingSections
  std::atomic<int64_t> queued_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> refused_{false};  // the system refused the last thread
  EventCount work_;                   // where idle workers sleep
  EventCount places_;                 // where callers sleep

  mutable std::mutex mutex_;  // guards all members below
  std::deque<Task> tasks_;
  std::list<pthread_t> threads_;
  int numbered_ = 0;
};

// While one lives, a thread that held a place of a pool holds none. It has no
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

// Returns the number of CPUs that this process may use, by its affinity and its
// cgroup's quota; at least 1. The environment variable TESSERA_NUM_THREADS, a
// positive number, overrides it.
int DefaultThreadCount();

}  // namespace xla

#endif  // XLA_RUNTIME_THREAD_POOL_H_
