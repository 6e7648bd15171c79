// DeviceScheduler: gives threads to the devices of a run, none to those that
// wait, and finds out when all wait in vain. Knows nothing of thunks.
#ifndef XLA_BACKENDS_CPU_THUNKS_DEVICE_SCHEDULER_H_
#define XLA_BACKENDS_CPU_THUNKS_DEVICE_SCHEDULER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {

// Made by make_shared. Used for one run at a time; thread safe within it.
class DeviceScheduler : public std::enable_shared_from_this<DeviceScheduler> {
 public:
  // What a device does while it has a thread.
  class Devices {
   public:
    virtual ~Devices() = default;
    // Works until the device ends (End) or waits (Park gave true).
    virtual void Advance(int64_t device) = 0;
    // What a device that is parked waits for.
    virtual std::string WaitsFor(int64_t device) const = 0;
  };

  // Runs devices 0 to count - 1 until all have ended: on this thread and, when
  // there are several, on workers of `pool`, which may be null: then this
  // thread serves them in turn. Returns the error of the first device that
  // failed by itself; Aborted when the devices waited for each other in vain,
  // naming what each waits for.
  absl::Status Run(int64_t count, ThreadPool* pool, Devices& devices);

  // Advance calls these. Park gives the device's thread away until Resume; it
  // returns false, and the device goes on, if Resume was called already or
  // another device failed.
  bool Park(int64_t device);
  void End(int64_t device, absl::Status status);
  // Another device failed: this one is to end with failure().
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  absl::Status failure() const;

  // Makes devices go on that have parked or are about to.
  void Resume(absl::Span<const int64_t> devices);

 private:
  friend class HostWait;
  enum class State { kRuns, kResumed, kParked, kEnded };
  struct Device {
    State state = State::kRuns;
    absl::Status status;
  };

  // All but ServeReady's inner call with mutex_ held.
  void ServeReady(std::unique_lock<std::mutex>& lock);
  void MakeReady(int64_t device);
  void Fail(absl::Status status);
  void CheckDeadlock();
  absl::Status Outcome() const;
  // Starts workers for devices that are ready; without mutex_.
  void StartWorkers();
  void WorkerMain();
  void EnterHostWait();
  void LeaveHostWait();

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<Device> devices_;
  std::deque<int64_t> ready_;
  Devices* client_ = nullptr;  // of the run under way
  ThreadPool* pool_ = nullptr;
  int64_t live_ = 0;  // neither parked nor ended
  int64_t parked_ = 0;
  int64_t workers_ = 0;  // scheduled or serving, the caller not counted
  int64_t most_workers_ = 0;
  int64_t idle_ = 0;     // workers that have not yet looked for devices
  int64_t blocked_ = 0;  // threads in a HostWait
  absl::Status failure_;
  std::atomic<bool> failed_{false};
};

// While one lives, the device that makes it waits for the host, or runs code
// of the host that may wait for other devices: another thread serves these.
class HostWait {
 public:
  explicit HostWait(DeviceScheduler& scheduler) : scheduler_(scheduler) {
    scheduler_.EnterHostWait();
  }
  ~HostWait() { scheduler_.LeaveHostWait(); }
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;

 private:
  DeviceScheduler& scheduler_;
  BlockingSection section_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_DEVICE_SCHEDULER_H_
