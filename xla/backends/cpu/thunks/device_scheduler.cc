// Manages the queue of devices that can continue, and the threads that serve
// it.
#include "xla/backends/cpu/thunks/device_scheduler.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace xla::cpu {

absl::Status DeviceScheduler::Run(int64_t count, ThreadPool* pool,
                                  Devices& devices) {
  std::unique_lock<std::mutex> lock(mutex_);
  devices_.assign(count, Device());
  client_ = &devices;
  pool_ = pool;
  live_ = count;
  parked_ = 0;
  failure_ = absl::OkStatus();
  failed_ = false;
  most_workers_ =
      pool == nullptr ? 0 : std::min<int64_t>(count, pool->num_threads()) - 1;
  for (int64_t device = 0; device < count; ++device) {
    if (devices.IsHere(device)) {
      ready_.push_back(device);
    } else {
      devices_[device].state = State::kEnded;
      --live_;
    }
  }
  if (most_workers_ > 0) {
    lock.unlock();
    StartWorkers();
    lock.lock();
  }
  while (true) {
    ServeReady(lock);
    if (live_ == 0 && parked_ == 0) break;
    const auto something_to_do = [this] {
      return !ready_.empty() || (live_ == 0 && parked_ == 0);
    };
    if (something_to_do()) continue;
    lock.unlock();
    {
      BlockingSection section;
      lock.lock();
      changed_.wait(lock, something_to_do);
      lock.unlock();
    }
    lock.lock();
  }
  client_ = nullptr;
  return Outcome();
}

absl::Status DeviceScheduler::Outcome() const {
  for (const Device& device : devices_) {
    if (!device.status.ok()) return device.status;
  }
  return failure_;
}

void DeviceScheduler::ServeReady(std::unique_lock<std::mutex>& lock) {
  while (!ready_.empty()) {
    const int64_t device = ready_.front();
    ready_.pop_front();
    Devices& client = *client_;
    lock.unlock();
    client.Advance(device);
    lock.lock();
  }
}

bool DeviceScheduler::Park(int64_t device) {
  std::lock_guard<std::mutex> lock(mutex_);
  Device& self = devices_[device];
  if (self.state == State::kResumed || !failure_.ok()) {
    self.state = State::kRuns;
    return false;
  }
  self.state = State::kParked;
  --live_;
  ++parked_;
  CheckDeadlock();
  return true;
}

void DeviceScheduler::End(int64_t device, absl::Status status) {
  std::lock_guard<std::mutex> lock(mutex_);
  Device& self = devices_[device];
  self.state = State::kEnded;
  --live_;
  if (!status.ok() && status != failure_) {
    Fail(absl::CancelledError(
        absl::StrCat("device ", device, " failed: ", status.message())));
    self.status = std::move(status);
  }
  CheckDeadlock();
  if (live_ == 0 && parked_ == 0) changed_.notify_all();
}

absl::Status DeviceScheduler::failure() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return failure_;
}

void DeviceScheduler::Resume(absl::Span<const int64_t> devices) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const int64_t device : devices) {
      Device& other = devices_[device];
      if (other.state == State::kParked) {
        MakeReady(device);
      } else if (other.state == State::kRuns) {
        other.state = State::kResumed;
      }
    }
  }
  StartWorkers();
}

void DeviceScheduler::MakeReady(int64_t device) {
  devices_[device].state = State::kRuns;
  --parked_;
  ++live_;
  ready_.push_back(device);
  changed_.notify_one();
}

void DeviceScheduler::Fail(absl::Status status) {
  if (!failure_.ok()) return;
  failure_ = std::move(status);
  failed_ = true;
  for (size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].state == State::kParked) MakeReady(i);
  }
}

void DeviceScheduler::CheckDeadlock() {
  if (live_ > 0 || parked_ == 0) return;
  std::string waiters;
  for (size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].state != State::kParked) continue;
    absl::StrAppend(&waiters, waiters.empty() ? "" : ", ", "device ", i,
                    " waits for ", client_->WaitsFor(i));
  }
  Fail(absl::AbortedError(
      absl::StrCat("deadlock: no device can go on; ", waiters)));
}

void DeviceScheduler::StartWorkers() {
  int64_t starting = 0;
  ThreadPool* pool = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    pool = pool_;
    if (pool == nullptr) return;
    const int64_t wanted = static_cast<int64_t>(ready_.size()) - idle_;
    const int64_t room = most_workers_ + blocked_ - workers_;
    starting = std::max<int64_t>(std::min(wanted, room), 0);
    workers_ += starting;
    idle_ += starting;
  }
  // Runs without the lock, since the pool may run a task at once, on this
  // thread.
  for (int64_t i = 0; i < starting; ++i) {
    pool->Schedule([self = shared_from_this()] { self->WorkerMain(); });
  }
}

// The task may start late, after the run or even during the next one; both are
// harmless.
void DeviceScheduler::WorkerMain() {
  std::unique_lock<std::mutex> lock(mutex_);
  --idle_;
  ServeReady(lock);
  --workers_;
}

void DeviceScheduler::EnterHostWait() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++blocked_;
  }
  StartWorkers();
}

void DeviceScheduler::LeaveHostWait() {
  std::lock_guard<std::mutex> lock(mutex_);
  --blocked_;
}

}  // namespace xla::cpu
