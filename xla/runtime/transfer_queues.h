// Queues of literals between a device and host threads: infeed, outfeed, and
// one pair for each channel of host sends and recvs.
#ifndef XLA_RUNTIME_TRANSFER_QUEUES_H_
#define XLA_RUNTIME_TRANSFER_QUEUES_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "xla/core/literal/literal.h"

namespace xla {

// A first-in, first-out queue without a bound. Thread safe.
class TransferQueue {
 public:
  void Push(Literal literal);
  // Waits up to `timeout` for a literal. Errors: FailedPrecondition, with
  // `what`, if none has come by then; Cancelled after Close, or if the token of
  // this thread's work (CancellationToken::Current) is cancelled meanwhile,
  // which a waiting thread looks at some times a second.
  absl::StatusOr<Literal> Pop(absl::Duration timeout, absl::string_view what);
  // Fails waiting and later calls of Pop with Cancelled once the queue is
  // empty.
  void Close();
  size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Literal> literals_;
  bool closed_ = false;
};

// The queues of one device. Outlives the runs that use it. Thread safe.
class TransferQueues {
 public:
  // `device_timeout` is how long the device waits for the host: by default not
  // at all; absl::InfiniteDuration() waits forever.
  explicit TransferQueues(absl::Duration device_timeout = absl::ZeroDuration())
      : device_timeout_(device_timeout) {}

  // Called by the host. `literal` is what one infeed op returns, without the
  // token.
  void TransferToInfeed(Literal literal) { infeed_.Push(std::move(literal)); }
  // Returns what one outfeed op was given. Errors: those of TransferQueue::Pop.
  absl::StatusOr<Literal> TransferFromOutfeed(
      absl::Duration timeout = absl::ZeroDuration()) {
    return outfeed_.Pop(timeout, "outfeed");
  }

  TransferQueue& infeed() { return infeed_; }
  TransferQueue& outfeed() { return outfeed_; }
  // The queues of recv and send with is_host_transfer.
  TransferQueue& to_device(int64_t channel) {
    return Channel(to_device_, channel);
  }
  TransferQueue& to_host(int64_t channel) { return Channel(to_host_, channel); }
  absl::Duration device_timeout() const { return device_timeout_; }
  // Closes all queues, including those that are created later.
  void Close();

 private:
  using Channels = std::map<int64_t, TransferQueue>;
  TransferQueue& Channel(Channels& channels, int64_t channel);

  const absl::Duration device_timeout_;
  TransferQueue infeed_;
  TransferQueue outfeed_;
  std::mutex mutex_;  // guards the maps and closed_
  Channels to_device_;
  Channels to_host_;
  bool closed_ = false;
};

}  // namespace xla

#endif  // XLA_RUNTIME_TRANSFER_QUEUES_H_
