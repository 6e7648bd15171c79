// What an activity says.
#include "xla/base/control/activity.h"

namespace xla {

void Activity::Begin(absl::string_view phase, absl::string_view detail,
                     int64_t steps) {
  std::lock_guard<std::mutex> lock(mutex_);
  state_.phase = std::string(phase);
  state_.detail = std::string(detail);
  state_.steps = steps;
  done_.store(0, std::memory_order_relaxed);
}

void Activity::SetInstructions(int64_t count) {
  std::lock_guard<std::mutex> lock(mutex_);
  state_.instructions = count;
}

Activity::State Activity::Get() const {
  std::lock_guard<std::mutex> lock(mutex_);
  State state = state_;
  state.done = done_.load(std::memory_order_relaxed);
  return state;
}

}  // namespace xla
