// Decides between a run and the call that poisons it. Events are set without a
// lock: they call back whoever waits.
#include "xla/pjrt/run/run_fate.h"

#include <algorithm>

namespace xla {

bool RunFate::Begin() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::kWaits) return false;
  state_ = State::kRuns;
  return true;
}

void RunFate::End(absl::Status status) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_ == State::kEnded) return;  // it was poisoned
    if (state_ == State::kPoisoned) status = std::move(poison_);
    state_ = State::kEnded;
  }
  done_.Set(std::move(status));
}

bool RunFate::Poison(absl::Status error) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_ == State::kRuns) {
      state_ = State::kPoisoned;
      poison_ = std::move(error);
      return true;
    }
    if (state_ != State::kWaits) return false;
    state_ = State::kEnded;
  }
  // The others would wait for this process.
  if (others_ != nullptr) others_->Fail(error).IgnoreError();
  done_.Set(std::move(error));
  return true;
}

void LaunchedRuns::Add(int32_t launch_id, std::shared_ptr<RunFate> fate) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (runs_.size() >= drop_at_) {
    const auto ended = [](const Launched& run) {
      return run.fate->has_ended();
    };
    runs_.erase(std::remove_if(runs_.begin(), runs_.end(), ended), runs_.end());
    drop_at_ = std::max<size_t>(16, 2 * runs_.size());
  }
  runs_.push_back({launch_id, std::move(fate)});
}

bool LaunchedRuns::Poison(int32_t launch_id, const absl::Status& error) {
  std::vector<std::shared_ptr<RunFate>> fates;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Launched& run : runs_) {
      if (run.launch_id == launch_id) fates.push_back(run.fate);
    }
  }
  return std::any_of(fates.begin(), fates.end(),
                     [&](const auto& fate) { return fate->Poison(error); });
}

}  // namespace xla
