// The state that all handles of an event share.
#include "xla/runtime/event.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

struct Event::State {
  std::atomic<int64_t> handles{1};
  std::atomic<bool> ready{false};
  std::atomic<bool> ends_by_itself{false};
  std::mutex mutex;
  std::condition_variable changed;
  int waiting = 0;      // threads in Await
  absl::Status status;  // written before `ready`, never after
  absl::InlinedVector<Callback, 1> callbacks;
};

bool Event::ReadyState(const State& state) {
  return state.ready.load(std::memory_order_acquire);
}

bool Event::MarkedAsEnding(const State& state) {
  return state.ends_by_itself.load(std::memory_order_relaxed);
}

void Event::SetEndsByItself() const {
  if (state_ != nullptr) {
    state_->ends_by_itself.store(true, std::memory_order_relaxed);
  }
}

Event Event::Pending() { return Event(new State); }

Event Event::Failed(absl::Status status) {
  if (status.ok()) return Event();
  Event event = Pending();
  event.state_->status = std::move(status);
  event.state_->ready.store(true, std::memory_order_release);
  return event;
}

Event Event::AfterAll(absl::Span<const Event> events) {
  const Event* only = nullptr;
  int pending = 0;
  bool all_end = true;
  for (const Event& event : events) {
    all_end &= event.EndsByItself();
    if (event.IsReady()) continue;
    ++pending;
    only = &event;
  }
  const auto first_error = [](absl::Span<const Event> all) {
    for (const Event& event : all) {
      if (event.IsFailed()) return event.Get();
    }
    return absl::OkStatus();
  };
  if (pending == 0) return Failed(first_error(events));
  if (pending == 1 && events.size() == 1) return *only;
  struct Join {
    std::vector<Event> events;
    std::atomic<int> pending;
    Event all = Pending();
  };
  auto join = std::make_shared<Join>();
  join->events.assign(events.begin(), events.end());
  join->pending = static_cast<int>(events.size());
  const Event all = join->all;
  if (all_end) all.SetEndsByItself();
  for (const Event& event : events) {
    event.OnReady([join, first_error](const absl::Status&) {
      if (join->pending.fetch_sub(1) == 1) {
        join->all.Set(first_error(join->events));
      }
    });
  }
  return all;
}

absl::Status Event::Get() const {
  return state_ == nullptr ? absl::OkStatus() : state_->status;
}

absl::Status Event::Await() const {
  if (IsReady()) return Get();
  BlockingSection blocking;
  std::unique_lock<std::mutex> lock(state_->mutex);
  ++state_->waiting;
  while (!state_->ready.load(std::memory_order_relaxed)) {
    state_->changed.wait(lock);
  }
  --state_->waiting;
  return state_->status;
}

void Event::OnReady(Callback callback) const {
  if (!IsReady()) {
    std::lock_guard<std::mutex> lock(state_->mutex);
    if (!state_->ready.load(std::memory_order_relaxed)) {
      state_->callbacks.push_back(std::move(callback));
      return;
    }
  }
  std::move(callback)(Get());
}

bool Event::Set(absl::Status status) const {
  if (state_ == nullptr) return false;
  // Keeps the state alive while callbacks drop the handles to this event.
  const Event keep = *this;
  absl::InlinedVector<Callback, 1> callbacks;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    if (state_->ready.load(std::memory_order_relaxed)) return false;
    state_->status = std::move(status);
    state_->ready.store(true, std::memory_order_release);
    callbacks.swap(state_->callbacks);
    if (state_->waiting > 0) state_->changed.notify_all();
  }
  for (Callback& callback : callbacks) {
    std::move(callback)(keep.state_->status);
  }
  return true;
}

void Event::Ref() const {
  if (state_ != nullptr) {
    state_->handles.fetch_add(1, std::memory_order_relaxed);
  }
}

void Event::Unref() {
  if (state_ != nullptr &&
      state_->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete state_;
  }
}

}  // namespace xla
