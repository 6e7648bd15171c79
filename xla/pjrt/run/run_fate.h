// RunFate: how a run that waits or runs on the pool ends, which its device can
// still change; LaunchedRuns finds it by the id of its launch.
#ifndef XLA_PJRT_RUN_RUN_FATE_H_
#define XLA_PJRT_RUN_RUN_FATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "xla/distributed/communicator.h"
#include "xla/runtime/event.h"

namespace xla {

// Shared by the run and its devices. Thread safe.
class RunFate {
 public:
  // `done` is the run's, and defines its outputs. `others` connects to the
  // processes that take part in the run; null if there are none.
  RunFate(Event done, std::shared_ptr<distributed::Communicator> others)
      : done_(std::move(done)), others_(std::move(others)) {}

  // Call before the run uses any memory. Returns false if it must not: it was
  // poisoned, and its arguments and results may be in use already.
  bool Begin();
  // Makes `done` ready with `status`, or with the error of Poison.
  void End(absl::Status status);
  // Makes the run fail with `error`, which is not OK: at once if it has not
  // begun, else when it ends. Returns false, without effect, if it has ended or
  // was poisoned before.
  bool Poison(absl::Status error);
  bool has_ended() const { return done_.IsReady(); }

 private:
  enum class State : uint8_t { kWaits, kRuns, kPoisoned, kEnded };

  const Event done_;
  const std::shared_ptr<distributed::Communicator> others_;
  std::mutex mutex_;  // guards the members below
  State state_ = State::kWaits;
  absl::Status poison_;
};

// The runs of one device that were handed to the pool. Thread safe.
class LaunchedRuns {
 public:
  void Add(int32_t launch_id, std::shared_ptr<RunFate> fate);
  // Poisons the earliest run of that launch for which RunFate::Poison is true.
  // Returns false if there is none.
  bool Poison(int32_t launch_id, const absl::Status& error);

 private:
  struct Launched {
    int32_t launch_id;
    std::shared_ptr<RunFate> fate;
  };

  std::mutex mutex_;
  std::vector<Launched> runs_;  // in the order of their launches
  // Runs that have ended are dropped when there are so many.
  size_t drop_at_ = 16;
};

}  // namespace xla

#endif  // XLA_PJRT_RUN_RUN_FATE_H_
