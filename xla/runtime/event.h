// Event: something that becomes ready once, with a Status. Its users decide
// which code makes it ready, and on which thread.
#ifndef XLA_RUNTIME_EVENT_H_
#define XLA_RUNTIME_EVENT_H_

#include <atomic>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

namespace xla {

// A shared handle: copies refer to the same event. A default-constructed event
// is ready and OK; it does not allocate, nor do its copies. Thread safe, except
// that no thread may use a handle while another assigns to it.
class Event {
 public:
  using Callback = absl::AnyInvocable<void(const absl::Status&) &&>;

  Event() = default;
  // Returns an event that is not ready until Set.
  static Event Pending();
  // Returns an event that is ready with `status`; with OK, the same as Event().
  static Event Failed(absl::Status status);
  // Returns an event that becomes ready when all of `events` are, with the
  // first error in their order. It ends by itself if all of them do.
  static Event AfterAll(absl::Span<const Event> events);

  Event(const Event& other) : state_(other.state_) { Ref(); }
  Event(Event&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Event() { Unref(); }

  // Declares that a pending event becomes ready whatever threads that may wait
  // for it do: its work has everything that it needs.
  void SetEndsByItself() const;
  // Returns true if it is ready or so declared. Then a thread can wait for it
  // without blocking work that the event itself depends on.
  bool EndsByItself() const { return IsReady() || MarkedAsEnding(*state_); }
  bool IsReady() const { return state_ == nullptr || ReadyState(*state_); }
  // Returns true when it is ready with an error.
  bool IsFailed() const {
    return state_ != nullptr && IsReady() && !Get().ok();
  }
  // Returns the status once ready; OK before.
  absl::Status GetStatus() const { return IsReady() ? Get() : absl::Status(); }
  // Blocks until ready. If this is a worker of a ThreadPool, another worker
  // takes its place meanwhile.
  absl::Status Await() const;
  // Calls `callback` once ready: immediately on this thread if it is ready,
  // otherwise on the thread that calls Set.
  void OnReady(Callback callback) const;
  // Makes a pending event ready. Returns false, without effect, if it is
  // already.
  bool Set(absl::Status status = absl::OkStatus()) const;
  // Returns true if both refer to the same event; all Event() are the same.
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

  State* state_ = nullptr;  // the counted state; null: ready and OK
};

}  // namespace xla

#endif  // XLA_RUNTIME_EVENT_H_
