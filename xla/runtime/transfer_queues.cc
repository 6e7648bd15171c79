// Queues between a device and host threads.
#include "xla/runtime/transfer_queues.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"

namespace xla {

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
  if (timeout == absl::InfiniteDuration()) {
    changed_.wait(lock, ready);
  } else if (timeout > absl::ZeroDuration()) {
    // A year stands for no timeout and does not overflow the clock.
    changed_.wait_for(
        lock, absl::ToChronoMilliseconds(std::min(timeout, absl::Hours(8760))),
        ready);
  }
  if (!literals_.empty()) {
    Literal literal = std::move(literals_.front());
    literals_.pop_front();
    return literal;
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
