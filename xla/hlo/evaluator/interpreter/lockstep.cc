// Passes the turn among devices.
#include "xla/hlo/evaluator/interpreter/lockstep.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace xla {

absl::Status Lockstep::Enter(int64_t device) {
  std::unique_lock<std::mutex> lock(mutex_);
  return AwaitTurn(device, lock);
}

void Lockstep::Leave(int64_t device, const absl::Status& status) {
  std::unique_lock<std::mutex> lock(mutex_);
  devices_[device].state = State::kDone;
  if (!status.ok()) {
    Fail(absl::CancelledError(
        absl::StrCat("device ", device, " failed: ", status.message())));
  }
  if (turn_ == device) PassTurn(device);
}

absl::Status Lockstep::WaitUntil(int64_t device, std::string what,
                                 const std::function<bool()>& ready) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (failure_.ok() && ready()) return absl::OkStatus();
  Device& self = devices_[device];
  self.state = State::kWaits;
  self.what = std::move(what);
  self.ready = &ready;
  PassTurn(device);
  return AwaitTurn(device, lock);
}

absl::Status Lockstep::WaitOutside(int64_t device,
                                   absl::FunctionRef<void()> wait) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    devices_[device].state = State::kOutside;
    PassTurn(device);
  }
  wait();
  std::unique_lock<std::mutex> lock(mutex_);
  devices_[device].state = State::kCanRun;
  if (turn_ == kNobody) turn_ = device;
  return AwaitTurn(device, lock);
}

void Lockstep::PassTurn(int64_t device) {
  const int64_t n = devices_.size();
  turn_ = kNobody;
  bool all_wait = true;
  bool any_waits = false;
  for (int64_t i = 1; i <= n && turn_ == kNobody; ++i) {
    Device& next = devices_[(device + i) % n];
    switch (next.state) {
      case State::kCanRun:
        turn_ = (device + i) % n;
        break;
      case State::kWaits:
        any_waits = true;
        if (!failure_.ok() || (*next.ready)()) {
          next.state = State::kCanRun;
          turn_ = (device + i) % n;
        }
        break;
      case State::kOutside:
        all_wait = false;
        break;
      case State::kDone:
        break;
    }
  }
  if (turn_ != kNobody) {
    devices_[turn_].wake.notify_all();
  } else if (any_waits && all_wait) {
    Fail(absl::AbortedError(
        absl::StrCat("deadlock: no device can go on; ", Waiters())));
    PassTurn(device);
  }
}

void Lockstep::Fail(absl::Status status) {
  if (failure_.ok()) failure_ = std::move(status);
}

absl::Status Lockstep::AwaitTurn(int64_t device,
                                 std::unique_lock<std::mutex>& lock) {
  devices_[device].wake.wait(lock, [&] { return turn_ == device; });
  devices_[device].state = State::kCanRun;
  devices_[device].ready = nullptr;
  return failure_;
}

std::string Lockstep::Waiters() const {
  std::string text;
  for (size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].state != State::kWaits) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", "device ", i,
                    " waits for ", devices_[i].what);
  }
  return text;
}

}  // namespace xla
