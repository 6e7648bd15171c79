// Event: something that becomes ready once, with a Status. Who makes it ready,
// and on which thread, is left to its users.
#ifndef XLA_RUNTIME_EVENT_H_
#define XLA_RUNTIME_EVENT_H_

#include <atomic>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

namespace xla {

// A shared handle: copies stand for the same event. Made by default it is ready
// and OK, and neither that nor copies of it allocate. Thread safe, except that
// one handle must not be assigned while another thread uses that handle.
class Event {
 public:
  using Callback = absl::AnyInvocable<void(const absl::Status&) &&>;

  Event() = default;
  // Not ready until Set.
  static Event Pending();
  // Ready; OK gives the same as Event().
  static Event Failed(absl::Status status);
  // Ready when all of `events` are, with the first error in their order. Ends
  // by itself if all of them do.
  static Event AfterAll(absl::Span<const Event> events);

  Event(const Event& other) : state_(other.state_) { Ref(); }
  Event(Event&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Event() { Unref(); }

  // Says of a pending event that it becomes ready whatever the threads that
  // could wait for it do: of work that has all that it needs.
  void SetEndsByItself() const;
  // Whether that was said, or it is ready: waiting for it cannot keep a thread
  // from what it still has to do for it.
  bool EndsByItself() const { return IsReady() || MarkedAsEnding(*state_); }
  bool IsReady() const { return state_ == nullptr || ReadyState(*state_); }
  // True when it is ready and failed.
  bool IsFailed() const {
    return state_ != nullptr && IsReady() && !Get().ok();
  }
  // The status once ready; OK before.
  absl::Status GetStatus() const { return IsReady() ? Get() : absl::Status(); }
  // Waits. On a worker of a ThreadPool another worker takes its place
  // meanwhile.
  absl::Status Await() const;
  // Calls `callback` once ready: now, on this thread, if that is already so,
  // else on the thread that calls Set.
  void OnReady(Callback callback) const;
  // Makes a pending event ready; false, without an effect, when it is already.
  bool Set(absl::Status status = absl::OkStatus()) const;
  // Whether both stand for the same event; all Event() are the same.
  friend bool operator==(const Event& a, const Event& b) {
    return a.state_ == b.state_;
  }

 private:
  struct State;
  explicit Event(State* state) : state_(state) {}
  static bool ReadyState(const State& state);
  static bool MarkedAsEnding(const State& state);
  absl::Status Get() const;
  void Ref() const;
  void Unref();

  State* state_ = nullptr;  // counts its handles; null: ready and OK
};

}  // namespace xla

#endif  // XLA_RUNTIME_EVENT_H_
