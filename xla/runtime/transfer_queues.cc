// Queues between a device and host threads.
#include "xla/runtime/transfer_queues.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/control/cancellation.h"

namespace xla {
namespace {

// How long a waiting thread sleeps before it looks at its token: nothing wakes
// it when a signal handler cancels its work.
constexpr std::chrono::milliseconds kLook{50};

}  // namespace

void TransferQueue::Push(Literal literal) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    literals_.push_back(std::move(literal));
  }
  changed_.notify_one();
}

absl::StatusOr<Literal> TransferQueue::Pop(absl::Duration timeout,
                                           absl::string_view what) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto ready = [&] { return closed_ || !literals_.empty(); };
  const CancellationToken token = CancellationToken::Current();
  if (timeout > absl::ZeroDuration()) {
    using Clock = std::chrono::steady_clock;
    // A year stands for no timeout and does not overflow the clock.
    const Clock::time_point end =
        Clock::now() +
        absl::ToChronoMilliseconds(std::min(timeout, absl::Hours(8760)));
    for (Clock::time_point now = Clock::now();
         !ready() && now < end && !token.cancelled(); now = Clock::now()) {
      changed_.wait_until(lock, std::min(end, now + Clock::duration(kLook)));
    }
  }
  if (!literals_.empty()) {
    Literal literal = std::move(literals_.front());
    literals_.pop_front();
    return literal;
  }
  if (token.cancelled()) {
    return absl::CancelledError(absl::StrCat(what, ": the wait was cancelled"));
  }
  if (closed_) {
    return absl::CancelledError(absl::StrCat(what, ": the queue was closed"));
  }
  return absl::FailedPreconditionError(
      absl::StrCat(what, ": the queue is empty"));
}

void TransferQueue::Close() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

size_t TransferQueue::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return literals_.size();
}

TransferQueue& TransferQueues::Channel(Channels& channels, int64_t channel) {
  std::lock_guard<std::mutex> lock(mutex_);
  TransferQueue& queue = channels[channel];
  if (closed_) queue.Close();
  return queue;
}

void TransferQueues::Close() {
  infeed_.Close();
  outfeed_.Close();
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  for (auto& [channel, queue] : to_device_) queue.Close();
  for (auto& [channel, queue] : to_host_) queue.Close();
}

}  // namespace xla
