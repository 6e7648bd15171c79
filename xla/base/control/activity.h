// Activity: what a compilation or run is doing, for those who show it to a
// user.
#ifndef XLA_BASE_CONTROL_ACTIVITY_H_
#define XLA_BASE_CONTROL_ACTIVITY_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "absl/strings/string_view.h"
#include "xla/base/control/thread_work.h"

namespace xla {

// Written by the threads that work, read by one that shows it. Thread safe.
class Activity {
 public:
  struct State {
    std::string phase;   // "passes", "kernels", "run"; empty before the first
    std::string detail;  // the pass, or the program that runs
    int64_t done = 0;    // steps of this phase
    int64_t steps = 0;   // how many there will be; 0: nobody knows
    int64_t instructions = -1;  // of the program; -1: not known
  };

  Activity() = default;
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  // The activity that this thread's work tells what it does; null, as usual,
  // if nobody wants to know.
  static Activity* Current() { return internal::thread_work.activity; }

  // Begins a phase, which ends the one before.
  void Begin(absl::string_view phase, absl::string_view detail = "",
             int64_t steps = 0);
  void SetInstructions(int64_t count);
  // Notes that one more step of the phase is done.
  void Advance() { done_.fetch_add(1, std::memory_order_relaxed); }

  State Get() const;

 private:
  std::atomic<int64_t> done_{0};
  mutable std::mutex mutex_;
  State state_;  // guarded by mutex_, without `done`
};

// While one lives, the work of this thread tells `activity`, which must outlive
// it, what it does; null: nobody.
class ActivityScope {
 public:
  explicit ActivityScope(Activity* activity)
      : before_(internal::thread_work.activity) {
    internal::thread_work.activity = activity;
  }
  ~ActivityScope() { internal::thread_work.activity = before_; }
  ActivityScope(const ActivityScope&) = delete;
  ActivityScope& operator=(const ActivityScope&) = delete;

 private:
  Activity* const before_;
};

}  // namespace xla

#endif  // XLA_BASE_CONTROL_ACTIVITY_H_
