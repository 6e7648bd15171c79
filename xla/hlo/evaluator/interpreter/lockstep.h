// Lockstep: lets several devices, each on its own thread, run one at a time, so
// that a run of them all is deterministic. Knows nothing about ops.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_LOCKSTEP_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_LOCKSTEP_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace xla {

// The turn goes from a device that waits, or is done, to the next one in the
// order of their numbers that can go on. Devices need no lock for shared data
// that they use only during their turns. Thread safe.
class Lockstep {
 public:
  // Device 0 has the first turn.
  explicit Lockstep(int64_t num_devices) : devices_(num_devices) {}

  // To be called once on the thread of `device`, before and after all other
  // methods. Errors: as WaitUntil; Leave must be called in any case.
  absl::Status Enter(int64_t device);
  // An error makes the waiting devices return Cancelled.
  void Leave(int64_t device, const absl::Status& status);

  // Gives the turn away until `ready()`, which may read only shared data,
  // returns true. `what` describes what it waits for. Errors: Aborted, for all
  // devices, when none can go on: the message names what each waits for;
  // Cancelled when another device failed.
  absl::Status WaitUntil(int64_t device, std::string what,
                         const std::function<bool()>& ready);

  // Runs `wait`, which waits for a thread that is not a device, outside of any
  // turn. Errors: Cancelled when another device failed meanwhile.
  absl::Status WaitOutside(int64_t device, absl::FunctionRef<void()> wait);

 private:
  enum class State { kCanRun, kWaits, kOutside, kDone };
  struct Device {
    State state = State::kCanRun;
    std::string what;
    const std::function<bool()>* ready = nullptr;
    std::condition_variable wake;
  };
  static constexpr int64_t kNobody = -1;

  // Requires mutex_. Finds the next device after `device`, or a deadlock.
  void PassTurn(int64_t device);
  void Fail(absl::Status status);
  absl::Status AwaitTurn(int64_t device, std::unique_lock<std::mutex>& lock);
  std::string Waiters() const;

  std::mutex mutex_;
  std::vector<Device> devices_;  // guarded by mutex_, as all below
  int64_t turn_ = 0;
  absl::Status failure_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_LOCKSTEP_H_
