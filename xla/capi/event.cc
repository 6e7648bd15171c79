// Events: waiting for what ends later.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"
#include "xla/runtime/thread_pool.h"

namespace xla::capi {
namespace {

// Tells one waiting thread that an event has ended.
struct Waiter {
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
};

bool WaitFor(const Event& event, std::chrono::nanoseconds time) {
  // Shared with the event, which may end after the wait.
  const auto waiter = std::make_shared<Waiter>();
  event.OnReady([waiter](const absl::Status&) {
    const std::lock_guard<std::mutex> lock(waiter->mutex);
    waiter->ended = true;
    waiter->changed.notify_all();
  });
  // Another thread of the pool takes the place of this one meanwhile.
  const BlockingSection blocking;
  std::unique_lock<std::mutex> lock(waiter->mutex);
  return waiter->changed.wait_for(lock, time, [&] { return waiter->ended; });
}

}  // namespace

extern "C" {

tessera_status* tessera_event_await(tessera_event* event) {
  return Call("tessera_event_await", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(event, "event"));
    return event->event.Await();
  });
}

bool tessera_event_wait_for(tessera_event* event, int64_t nanoseconds) {
  if (tessera_event_is_ready(event)) return true;
  if (nanoseconds <= 0) return false;
  // Longer times would overflow when added to the present one.
  constexpr int64_t kLongest = int64_t{1} << 60;
  return WaitFor(event->event,
                 std::chrono::nanoseconds(std::min(nanoseconds, kLongest)));
}

bool tessera_event_is_ready(const tessera_event* event) {
  return event == nullptr || !event->tag.ok() || event->event.IsReady();
}

tessera_status* tessera_event_on_ready(tessera_event* event,
                                       void (*callback)(void* data,
                                                        tessera_status* status),
                                       void* data) {
  return Call("tessera_event_on_ready", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(event, "event"));
    if (callback == nullptr) return NullError("callback");
    event->event.OnReady([callback, data](const absl::Status& status) {
      callback(data, MakeStatus(status));
    });
    return absl::OkStatus();
  });
}

void tessera_event_destroy(tessera_event* event) {
  if (event != nullptr && event->tag.ok()) delete event;
}

}  // extern "C"
}  // namespace xla::capi
