// Adds up times under a lock, since thunks run on several threads.
#include "xla/backends/cpu/tuning/timed_thunk.h"

#include "xla/backends/compile_report.h"

namespace xla::cpu {

void KernelTimes::Add(const std::string& key, double seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  seconds_[key] += seconds;
}

std::map<std::string, double> KernelTimes::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(seconds_, {});
}

absl::StatusOr<ThunkResult> TimedThunk::Run(DeviceRun& run,
                                            int64_t here) const {
  Stopwatch clock;
  absl::StatusOr<ThunkResult> result = thunk_->Run(run, here);
  times_->Add(key_, clock.Lap());
  return result;
}

}  // namespace xla::cpu
