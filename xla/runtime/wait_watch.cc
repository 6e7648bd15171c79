// Reports are rare, so the thread looks through a list.
#include "xla/runtime/wait_watch.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <system_error>

#include "absl/strings/numbers.h"

namespace xla {
namespace {

constexpr int64_t kDefaultSeconds = 20;

int64_t NanosecondsFromEnvironment() {
  int64_t seconds = kDefaultSeconds;
  if (const char* text = std::getenv("TESSERA_WAIT_WARNING_SECONDS")) {
    if (!absl::SimpleAtoi(text, &seconds) || seconds < 0) {
      seconds = kDefaultSeconds;
    }
  }
  return absl::ToInt64Nanoseconds(absl::Seconds(seconds));
}

std::atomic<int64_t>& WarningNanoseconds() {
  static std::atomic<int64_t> nanoseconds(NanosecondsFromEnvironment());
  return nanoseconds;
}

}  // namespace

absl::Duration WaitWarningAfter() {
  const int64_t nanoseconds = WarningNanoseconds();
  return nanoseconds > 0 ? absl::Nanoseconds(nanoseconds)
                         : absl::InfiniteDuration();
}

void SetWaitWarningAfter(absl::Duration duration) {
  WarningNanoseconds() = absl::ToInt64Nanoseconds(duration);
}

bool WaitReminder::IsDue(absl::Time now) {
  if (now < next()) return false;
  const absl::Duration step = WaitWarningAfter();
  while (next() <= now) {
    distance_ += pace_ == Pace::kDoubling ? distance_ : step;
  }
  return true;
}

std::shared_ptr<WaitWatcher> WaitWatcher::Get() {
  static std::mutex mutex;
  static std::weak_ptr<WaitWatcher> current;
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<WaitWatcher> watcher = current.lock();
  if (watcher == nullptr) {
    watcher =
        std::shared_ptr<WaitWatcher>(new WaitWatcher, [](WaitWatcher* last) {
          // A forked child lacks the thread, for which destroying what it waits
          // for would wait.
          if (last->process_ == 0 || last->process_ == getpid()) delete last;
        });
    current = watcher;
  }
  return watcher;
}

WaitWatcher::~WaitWatcher() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void WaitWatcher::Main() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ended_) {
    if (watches_.empty()) {
      sleeps_ = true;
      changed_.wait(lock, [this] { return ended_ || !watches_.empty(); });
      sleeps_ = false;
    }
    const absl::Time now = absl::Now();
    // A wait that begins meanwhile is due later than that.
    absl::Time next = now + WaitWarningAfter();
    for (WaitWatch* watch : watches_) {
      if (watch->reminder_.IsDue(now)) {
        watch->report_(watch->reminder_.Waited(now));
      }
      next = std::min(next, watch->reminder_.next());
    }
    if (ended_) return;
    if (next == absl::InfiniteFuture()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, absl::ToChronoTime(next));
    }
  }
}

WaitWatch::WaitWatch(WaitWatcher* watcher, Report report,
                     WaitReminder::Pace pace)
    : watcher_(watcher), report_(report), reminder_(absl::Now(), pace) {
  if (watcher_ == nullptr) return;
  std::lock_guard<std::mutex> lock(watcher_->mutex_);
  place_ = watcher_->watches_.insert(watcher_->watches_.end(), this);
  if (!watcher_->thread_.joinable()) {
    // Without a thread there are no reports.
    try {
      watcher_->thread_ = std::thread([watcher] { watcher->Main(); });
      watcher_->process_ = getpid();
    } catch (const std::system_error&) {
    }
  } else if (watcher_->sleeps_) {
    watcher_->changed_.notify_one();
  }
}

WaitWatch::~WaitWatch() {
  if (watcher_ == nullptr) return;
  std::lock_guard<std::mutex> lock(watcher_->mutex_);
  watcher_->watches_.erase(place_);
}

}  // namespace xla
