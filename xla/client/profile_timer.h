// Writes the time that a run takes to the profile that its caller passed.
#ifndef XLA_CLIENT_PROFILE_TIMER_H_
#define XLA_CLIENT_PROFILE_TIMER_H_

#include <chrono>
#include <cstdint>

#include "xla/proto/xla_data.pb.h"

namespace xla {

// Programs read their arguments in place, so transfers take no time of their
// own. `profile` may be null.
inline void RecordRunTime(int64_t nanoseconds, ExecutionProfile* profile) {
  if (profile == nullptr) return;
  profile->set_compute_time_ns(nanoseconds);
  profile->set_compute_and_transfer_time_ns(nanoseconds);
}

// Records its own lifetime, if there is a profile, which must outlive it.
class ProfileTimer {
 public:
  explicit ProfileTimer(ExecutionProfile* profile) : profile_(profile) {
    if (profile_ != nullptr) start_ = std::chrono::steady_clock::now();
  }
  ~ProfileTimer() {
    if (profile_ == nullptr) return;
    const std::chrono::nanoseconds time =
        std::chrono::steady_clock::now() - start_;
    RecordRunTime(time.count(), profile_);
  }
  ProfileTimer(const ProfileTimer&) = delete;
  ProfileTimer& operator=(const ProfileTimer&) = delete;

 private:
  ExecutionProfile* const profile_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace xla

#endif  // XLA_CLIENT_PROFILE_TIMER_H_
