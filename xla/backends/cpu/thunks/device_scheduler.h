// DeviceScheduler gives threads to the devices of a run, except to those that
// wait, and detects when all wait in vain. It knows nothing of thunks.
#ifndef XLA_BACKENDS_CPU_THUNKS_DEVICE_SCHEDULER_H_
#define XLA_BACKENDS_CPU_THUNKS_DEVICE_SCHEDULER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/runtime/thread_pool.h"
#include "xla/runtime/wait_watch.h"

namespace xla::cpu {

// Made by make_shared. Used for one run at a time; thread safe within it.
class DeviceScheduler : public std::enable_shared_from_this<DeviceScheduler> {
 public:
  // The work of devices while they have a thread.
  class Devices {
   public:
    virtual ~Devices() = default;
    // Works until the device waits, which returns nullopt, or ends, which
    // returns its status.
    virtual std::optional<absl::Status> Advance(int64_t device) = 0;
    // Whether the device belongs to this process; the others do not run.
    virtual bool IsHere(int64_t device) const { return true; }
    // Returns what a parked device waits for.
    virtual std::string WaitsFor(int64_t device) const = 0;
  };

  // Runs devices 0 to count - 1 until all have ended, on this thread and, if
  // there are several, on workers of `pool`. If `pool` is null, this thread
  // serves them in turn. Returns the error of the first device that failed by
  // itself, or Aborted if the devices waited for each other in vain, naming
  // what each waits for. Logs waits of devices that take long.
  absl::Status Run(int64_t count, ThreadPool* pool, Devices& devices);

  // Whether another device failed, so that this one must end with failure().
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  absl::Status failure() const;

  // Lets devices other than `except` continue that wait or are about to.
  void Resume(absl::Span<const int64_t> devices, int64_t except = -1);

  // Runs `task`, which may wait for other processes, on a thread of the run
  // while the device that calls this goes on; the run does not end before it
  // has. If the run has one thread, `task` has run when this returns. Returns
  // its error then; otherwise its error fails the run.
  absl::Status Start(std::function<absl::Status()> task);

 private:
  friend class HostWait;
  enum class State { kRuns, kResumed, kParked, kEnded };
  struct Device {
    State state = State::kRuns;
    absl::Status status;
    WaitReminder wait;  // since it was parked
  };

  // These are called with mutex_ held, which the first three release meanwhile.
  void ServeReady(std::unique_lock<std::mutex>& lock);
  void RunTask(std::unique_lock<std::mutex>& lock);
  bool SpinForReady(std::unique_lock<std::mutex>& lock, ThreadPool* pool);
  // Releases the device's thread until it is resumed. Returns false, and the
  // device continues, if it has been resumed already or another device failed.
  bool Park(int64_t device);
  void End(int64_t device, absl::Status status);
  void MakeReady(int64_t device);
  void Fail(absl::Status status);
  void CheckDeadlock();
  void NoteEnd();
  bool has_work() const { return !ready_.empty() || !tasks_.empty(); }
  bool over() const { return live_ == 0 && parked_ == 0; }
  int64_t ClaimWorkers();
  absl::Status Outcome() const;

  // These are called without it.
  void ReportWaits();
  void StartWorkers(ThreadPool* pool, int64_t count);
  void WorkerMain();
  void EnterHostWait();
  void LeaveHostWait();

  std::shared_ptr<WaitWatcher> watcher_;  // from the first run of several on

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<Device> devices_;
  std::deque<int64_t> ready_;
  std::deque<std::function<absl::Status()>> tasks_;  // not yet begun
  Devices* client_ = nullptr;                        // of the run under way
  ThreadPool* pool_ = nullptr;
  int64_t live_ = 0;     // tasks, and devices that neither wait nor have ended
  int64_t parked_ = 0;   // devices
  int64_t workers_ = 0;  // scheduled or serving, the caller not counted
  int64_t most_workers_ = 0;
  int64_t idle_ = 0;      // workers that have not yet looked for work
  int64_t spinning_ = 0;  // threads that will look again soon
  bool caller_sleeps_ = false;
  int64_t blocked_ = 0;  // threads in a HostWait
  absl::Status failure_;
  std::atomic<bool> failed_{false};
  // Whether a thread that spins should look: there is work, or all has ended.
  std::atomic<bool> attention_{false};
};

// While one lives, the device that made it waits for the host or for other
// processes, or runs host code that may wait for other devices; another thread
// serves these.
class HostWait {
 public:
  explicit HostWait(DeviceScheduler& scheduler) : scheduler_(scheduler) {
    scheduler_.EnterHostWait();
    section_.emplace();
  }
  ~HostWait() { scheduler_.LeaveHostWait(); }
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;

  // Does work between waits, which counts as that of one of the threads.
  void Work(absl::FunctionRef<void()> work) {
    section_.reset();
    work();
    section_.emplace();
  }

 private:
  DeviceScheduler& scheduler_;
  std::optional<BlockingSection> section_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_DEVICE_SCHEDULER_H_
