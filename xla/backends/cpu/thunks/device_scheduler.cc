// Manages the queue of devices that can continue, and the threads that serve
// it.
#include "xla/backends/cpu/thunks/device_scheduler.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"

namespace xla::cpu {

absl::Status DeviceScheduler::Run(int64_t count, ThreadPool* pool,
                                  Devices& devices) {
  if (count > 1 && watcher_ == nullptr) watcher_ = WaitWatcher::Get();
  const auto report = [this](absl::Duration) { ReportWaits(); };
  const WaitWatch watch(count > 1 ? watcher_.get() : nullptr, report,
                        WaitReminder::Pace::kSteady);
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
  attention_ = true;
  if (const int64_t starting = ClaimWorkers(); starting > 0) {
    lock.unlock();
    StartWorkers(pool, starting);
    lock.lock();
  }
  while (true) {
    ServeReady(lock);
    if (over()) break;
    if (SpinForReady(lock, pool)) continue;
    caller_sleeps_ = true;
    lock.unlock();
    {
      BlockingSection section;
      lock.lock();
      changed_.wait(lock, [this] { return has_work() || over(); });
      caller_sleeps_ = false;
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
  while (has_work()) {
    // Other processes may wait for a task.
    if (!tasks_.empty()) {
      RunTask(lock);
      continue;
    }
    const int64_t device = ready_.front();
    ready_.pop_front();
    if (!has_work()) attention_ = over();
    Devices& client = *client_;
    for (bool runs = true; runs;) {
      lock.unlock();
      std::optional<absl::Status> status = client.Advance(device);
      lock.lock();
      runs = !status.has_value() && !Park(device);
      if (status.has_value()) End(device, *std::move(status));
    }
  }
}

void DeviceScheduler::RunTask(std::unique_lock<std::mutex>& lock) {
  std::function<absl::Status()> task = std::move(tasks_.front());
  tasks_.pop_front();
  if (!has_work()) attention_ = over();
  absl::Status status = failure_;
  if (status.ok()) {
    lock.unlock();
    status = task();
    lock.lock();
  }
  --live_;
  if (!status.ok()) Fail(std::move(status));
  NoteEnd();
}

// Returns whether there is work, or all has ended, after a short time in which
// the thread helps with loops of `pool`.
bool DeviceScheduler::SpinForReady(std::unique_lock<std::mutex>& lock,
                                   ThreadPool* pool) {
  const auto something_to_do = [this] { return has_work() || over(); };
  bool came = pool != nullptr;
  while (came && !something_to_do()) {
    ++spinning_;
    lock.unlock();
    came = pool->SpinAndHelp([this] { return attention_.load(); });
    lock.lock();
    --spinning_;
  }
  return something_to_do();
}

bool DeviceScheduler::Park(int64_t device) {
  Device& self = devices_[device];
  if (self.state == State::kResumed || !failure_.ok()) {
    self.state = State::kRuns;
    return false;
  }
  self.state = State::kParked;
  self.wait = WaitReminder();
  --live_;
  ++parked_;
  CheckDeadlock();
  return true;
}

void DeviceScheduler::End(int64_t device, absl::Status status) {
  Device& self = devices_[device];
  self.state = State::kEnded;
  --live_;
  if (!status.ok() && status != failure_) {
    Fail(absl::CancelledError(
        absl::StrCat("device ", device, " failed: ", status.message())));
    self.status = std::move(status);
  }
  NoteEnd();
}

// Called when a device or a task has ended.
void DeviceScheduler::NoteEnd() {
  CheckDeadlock();
  if (!over()) return;
  attention_ = true;
  if (caller_sleeps_) changed_.notify_one();
}

absl::Status DeviceScheduler::failure() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return failure_;
}

void DeviceScheduler::Resume(absl::Span<const int64_t> devices,
                             int64_t except) {
  ThreadPool* pool = nullptr;
  int64_t starting = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const int64_t device : devices) {
      if (device == except) continue;
      Device& other = devices_[device];
      if (other.state == State::kParked) {
        MakeReady(device);
      } else if (other.state == State::kRuns) {
        other.state = State::kResumed;
      }
    }
    pool = pool_;
    starting = ClaimWorkers();
  }
  StartWorkers(pool, starting);
}

absl::Status DeviceScheduler::Start(std::function<absl::Status()> task) {
  ThreadPool* pool = nullptr;
  int64_t starting = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (most_workers_ > 0) {
      tasks_.push_back(std::move(task));
      ++live_;
      attention_ = true;
      if (caller_sleeps_) changed_.notify_one();
      pool = pool_;
      starting = ClaimWorkers();
    }
  }
  if (pool == nullptr) return task();
  StartWorkers(pool, starting);
  return absl::OkStatus();
}

void DeviceScheduler::MakeReady(int64_t device) {
  devices_[device].state = State::kRuns;
  --parked_;
  ++live_;
  ready_.push_back(device);
  attention_ = true;
  // One call is enough: the caller looks at the queue when it has the lock.
  if (caller_sleeps_ && ready_.size() == 1) changed_.notify_one();
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

// Called on the watcher's thread.
void DeviceScheduler::ReportWaits() {
  const absl::Time now = absl::Now();
  std::string waiting, missing;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (client_ == nullptr) return;
    for (size_t i = 0; i < devices_.size(); ++i) {
      Device& device = devices_[i];
      if (device.state == State::kParked) {
        if (!device.wait.IsDue(now)) continue;
        absl::StrAppend(&waiting, waiting.empty() ? "" : ", ", "device ", i,
                        " for ", client_->WaitsFor(i), " (",
                        absl::FormatDuration(absl::Trunc(
                            device.wait.Waited(now), absl::Seconds(1))),
                        ")");
      } else if (device.state != State::kEnded) {
        absl::StrAppend(&missing, missing.empty() ? "" : ",", i);
      }
    }
  }
  if (waiting.empty()) return;
  LOG(WARNING) << "devices of this process wait for others: " << waiting
               << "; devices that still run: "
               << (missing.empty() ? "none" : missing);
}

// Returns how many workers to start for work that no thread will look for
// otherwise.
int64_t DeviceScheduler::ClaimWorkers() {
  if (pool_ == nullptr) return 0;
  const int64_t wanted =
      static_cast<int64_t>(ready_.size() + tasks_.size()) - idle_ - spinning_;
  const int64_t room = most_workers_ + blocked_ - workers_;
  const int64_t starting = std::max<int64_t>(std::min(wanted, room), 0);
  workers_ += starting;
  idle_ += starting;
  return starting;
}

// Called without the lock, since the pool may run a task at once, on this
// thread.
void DeviceScheduler::StartWorkers(ThreadPool* pool, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    pool->Schedule([self = shared_from_this()] { self->WorkerMain(); });
  }
}

// The task may start late, after the run or even during the next one; both are
// harmless.
void DeviceScheduler::WorkerMain() {
  // The run's pool may be gone by now, or another one.
  ThreadPool* const pool = ThreadPool::Current();
  std::unique_lock<std::mutex> lock(mutex_);
  --idle_;
  do {
    ServeReady(lock);
  } while (!over() && SpinForReady(lock, pool) && !over());
  --workers_;
}

void DeviceScheduler::EnterHostWait() {
  ThreadPool* pool = nullptr;
  int64_t starting = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++blocked_;
    pool = pool_;
    starting = ClaimWorkers();
  }
  StartWorkers(pool, starting);
}

void DeviceScheduler::LeaveHostWait() {
  std::lock_guard<std::mutex> lock(mutex_);
  --blocked_;
}

}  // namespace xla::cpu
