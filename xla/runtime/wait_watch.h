// Warnings of waits that take long, so that who looks at a program that hangs
// knows for what it waits.
#ifndef XLA_RUNTIME_WAIT_WATCH_H_
#define XLA_RUNTIME_WAIT_WATCH_H_

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/functional/function_ref.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace xla {

// How long a wait takes before it is reported: TESSERA_WAIT_WARNING_SECONDS in
// the environment, else 20 s. Infinite for 0.
absl::Duration WaitWarningAfter();
// For tests. Waits that have begun keep theirs.
void SetWaitWarningAfter(absl::Duration duration);

// The times at which one wait is reported, WaitWarningAfter() after its
// beginning and then again and again.
class WaitReminder {
 public:
  enum class Pace {
    kDoubling,  // each is twice as far from the beginning as the one before
    kSteady,    // all have the same distance
  };
  explicit WaitReminder(absl::Time now = absl::Now(),
                        Pace pace = Pace::kDoubling)
      : begin_(now), distance_(WaitWarningAfter()), pace_(pace) {}
  absl::Time next() const { return begin_ + distance_; }
  // Whether it is time to report it; true once for each time.
  bool IsDue(absl::Time now);
  absl::Duration Waited(absl::Time now) const { return now - begin_; }

 private:
  absl::Time begin_;
  absl::Duration distance_;
  Pace pace_;
};

// A thread that looks after waits, from the first one on. Thread safe.
class WaitWatcher {
 public:
  // The one of all who hold it.
  static std::shared_ptr<WaitWatcher> Get();
  WaitWatcher(const WaitWatcher&) = delete;
  WaitWatcher& operator=(const WaitWatcher&) = delete;

 private:
  friend class WaitWatch;
  WaitWatcher() = default;
  ~WaitWatcher();
  void Main();

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::list<class WaitWatch*> watches_;
  bool sleeps_ = false;  // until there are watches
  bool ended_ = false;
  int process_ = 0;  // of the thread
  std::thread thread_;
};

// One wait, as long as it lives. `report` is called on the watcher's thread at
// the times of a WaitReminder, with the duration so far. It must not wait for
// the thread that waits.
class WaitWatch {
 public:
  using Report = absl::FunctionRef<void(absl::Duration waited)>;
  // A null watcher reports nothing. `report` is borrowed.
  WaitWatch(WaitWatcher* watcher, Report report,
            WaitReminder::Pace pace = WaitReminder::Pace::kDoubling);
  ~WaitWatch();
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;

 private:
  friend class WaitWatcher;
  WaitWatcher* const watcher_;
  const Report report_;
  WaitReminder reminder_;
  std::list<WaitWatch*>::iterator place_;
};

}  // namespace xla

#endif  // XLA_RUNTIME_WAIT_WATCH_H_
