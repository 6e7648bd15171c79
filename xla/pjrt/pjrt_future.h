// Future and Promise: a value, or only a Status, that becomes available later.
// XLA's interface to Event.
#ifndef XLA_PJRT_PJRT_FUTURE_H_
#define XLA_PJRT_PJRT_FUTURE_H_

#include <memory>
#include <type_traits>
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

namespace future_internal {
// The type of the future of what a function returns.
template <typename R>
struct ValueOf {
  using Type = R;
};
template <>
struct ValueOf<absl::Status> {
  using Type = void;
};
template <typename R>
struct ValueOf<absl::StatusOr<R>> {
  using Type = R;
};
template <typename R>
using Mapped = Future<typename ValueOf<R>::Type>;

// Sets the promise to what `f(values...)` returns.
template <typename R, typename F, typename... Values>
void SetTo(const Promise<typename ValueOf<R>::Type>& promise, F& f,
           const Values&... values) {
  if constexpr (std::is_void_v<R>) {
    f(values...);
    promise.Set();
  } else {
    promise.Set(f(values...));
  }
}
}  // namespace future_internal

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
  explicit operator bool() const { return true; }
  bool IsReady() const { return event_.IsReady(); }
  bool IsKnownReady() const { return event_.IsReady(); }
  absl::Status Await() const { return event_.Await(); }
  // Runs the callback inline if ready, else on the thread that makes it ready.
  void OnReady(Event::Callback callback) const {
    event_.OnReady(std::move(callback));
  }
  const Event& event() const { return event_; }
  Future GetReadyFuture() const { return *this; }

  // Returns the future of what `f()` returns, a value, a Status or a StatusOr,
  // which is called as by OnReady unless this fails: that is then its error.
  template <typename F, typename R = std::invoke_result_t<F&>>
  future_internal::Mapped<R> Map(F f) const;
  // Returns the future of a value that is there once this is ready.
  template <typename R>
  Future<std::decay_t<R>> MapTo(R value) const {
    return Map([value = std::move(value)]() { return value; });
  }

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
  // A value or an error is a ready future.
  template <typename U,
            std::enable_if_t<std::is_convertible_v<U, absl::StatusOr<T>> &&
                                 !std::is_same_v<std::decay_t<U>, Future>,
                             int> = 0>
  Future(U&& value)  // NOLINT
      : state_(std::make_shared<State>(
            absl::StatusOr<T>(std::forward<U>(value)))) {}
  static std::pair<Promise<T>, Future<T>> MakePromise();

  bool IsValid() const { return state_ != nullptr; }
  explicit operator bool() const { return IsValid(); }
  bool IsReady() const { return state_->event.IsReady(); }
  bool IsKnownReady() const { return IsReady(); }
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
  // Ready when this is, with its error.
  Future<> GetReadyFuture() const {
    auto [promise, future] = Future<>::MakePromise();
    OnReady([promise = promise](const absl::StatusOr<T>& value) {
      promise.Set(value.status());
    });
    return future;
  }
  // Returns the future of what `f(value)` returns; see Future<>::Map.
  template <typename F, typename R = std::invoke_result_t<F&, const T&>>
  future_internal::Mapped<R> Map(F f) const {
    auto [promise, future] = future_internal::Mapped<R>::MakePromise();
    OnReady([promise = promise,
             f = std::move(f)](const absl::StatusOr<T>& value) mutable {
      if (!value.ok()) return promise.Set(value.status());
      future_internal::SetTo<R>(promise, f, *value);
    });
    return future;
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

template <typename F, typename R>
future_internal::Mapped<R> Future<void>::Map(F f) const {
  auto [promise, future] = future_internal::Mapped<R>::MakePromise();
  OnReady([promise = promise,
           f = std::move(f)](const absl::Status& status) mutable {
    if (!status.ok()) return promise.Set(status);
    future_internal::SetTo<R>(promise, f);
  });
  return future;
}

template <typename T = void>
std::pair<Promise<T>, Future<T>> MakePromise() {
  return Future<T>::MakePromise();
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
