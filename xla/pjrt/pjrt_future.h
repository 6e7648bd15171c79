// Future and Promise: a value, or only a Status, that becomes available later.
// XLA's interface to Event.
#ifndef XLA_PJRT_PJRT_FUTURE_H_
#define XLA_PJRT_PJRT_FUTURE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/runtime/event.h"

namespace xla {

template <typename T = void>
class Future;
template <typename T = void>
class Promise;

// A future Status. The default is ready and OK.
template <>
class Future<void> {
 public:
  Future() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a status is a ready future.
  Future(absl::Status status) : event_(Event::Failed(std::move(status))) {}
  explicit Future(Event event) : event_(std::move(event)) {}
  static std::pair<Promise<void>, Future<void>> MakePromise();

  bool IsValid() const { return true; }
  bool IsReady() const { return event_.IsReady(); }
  bool IsKnownReady() const { return event_.IsReady(); }
  absl::Status Await() const { return event_.Await(); }
  // Runs the callback inline if ready, else on the thread that makes it ready.
  void OnReady(Event::Callback callback) const {
    event_.OnReady(std::move(callback));
  }
  const Event& event() const { return event_; }

 private:
  Event event_;
};

template <>
class Promise<void> {
 public:
  Promise() : event_(Event::Pending()) {}
  void Set(absl::Status status = absl::OkStatus()) const {
    event_.Set(std::move(status));
  }
  Future<void> future() const { return Future<void>(event_); }

 private:
  Event event_;
};

inline std::pair<Promise<void>, Future<void>> Future<void>::MakePromise() {
  Promise<void> promise;
  Future<void> future = promise.future();
  return {std::move(promise), std::move(future)};
}

// A future StatusOr<T>.
template <typename T>
class Future {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a value is a ready future.
  Future(absl::StatusOr<T> value)
      : state_(std::make_shared<State>(std::move(value))) {}
  static std::pair<Promise<T>, Future<T>> MakePromise();

  bool IsValid() const { return state_ != nullptr; }
  bool IsReady() const { return state_->event.IsReady(); }
  // Blocks; the value stays in the future.
  const absl::StatusOr<T>& Await() const& {
    state_->event.Await().IgnoreError();
    return state_->value;
  }
  absl::StatusOr<T> Await() && {
    state_->event.Await().IgnoreError();
    return std::move(state_->value);
  }
  void OnReady(
      absl::AnyInvocable<void(const absl::StatusOr<T>&) &&> callback) const {
    state_->event.OnReady([state = state_, callback = std::move(callback)](
                              const absl::Status&) mutable {
      std::move(callback)(state->value);
    });
  }

 private:
  friend class Promise<T>;
  struct State {
    State() : event(Event::Pending()), value(absl::UnknownError("")) {}
    explicit State(absl::StatusOr<T> v) : value(std::move(v)) {}
    Event event;  // without the error, which is in the value
    absl::StatusOr<T> value;
  };
  explicit Future(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;  // shared by the promise and all futures
};

template <typename T>
class Promise {
 public:
  Promise() : state_(std::make_shared<typename Future<T>::State>()) {}
  // Call once.
  void Set(absl::StatusOr<T> value) const {
    state_->value = std::move(value);
    state_->event.Set();
  }
  Future<T> future() const { return Future<T>(state_); }

 private:
  std::shared_ptr<typename Future<T>::State> state_;
};

template <typename T>
std::pair<Promise<T>, Future<T>> Future<T>::MakePromise() {
  Promise<T> promise;
  Future<T> future = promise.future();
  return {std::move(promise), std::move(future)};
}

// Ready when all futures are, with the first error.
inline Future<> JoinFutures(absl::Span<const Future<>> futures) {
  std::vector<Event> events;
  for (const Future<>& future : futures) events.push_back(future.event());
  return Future<>(Event::AfterAll(events));
}

// XLA's older name.
template <typename T = void>
using PjRtFuture = Future<T>;

}  // namespace xla

#endif  // XLA_PJRT_PJRT_FUTURE_H_
