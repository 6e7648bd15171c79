// Cancellation: how a host ends work that it no longer wants. The work, a run
// of a program or a compilation, looks at a token between its steps.
#ifndef XLA_BASE_CONTROL_CANCELLATION_H_
#define XLA_BASE_CONTROL_CANCELLATION_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/base/control/thread_work.h"

namespace xla {

// Cancels the work that has a token of it. Must outlive that work. Thread safe.
class CancellationSource {
 public:
  CancellationSource() = default;
  CancellationSource(const CancellationSource&) = delete;
  CancellationSource& operator=(const CancellationSource&) = delete;

  // Cancels all tokens that exist; later ones are not cancelled. A signal
  // handler may call it, and any thread.
  void Cancel() { epoch_.fetch_add(1, std::memory_order_relaxed); }

  // The source of all work of this process for which no other one was chosen by
  // a CancellationScope. Signal handlers may use it at any time.
  static CancellationSource& OfProcess() { return of_process_; }

 private:
  friend class CancellationToken;

  static CancellationSource of_process_;

  std::atomic<uint64_t> epoch_{0};
};

// What one piece of work looks at. A copy belongs to the same work. Thread safe
// as long as nobody assigns to it.
class CancellationToken {
 public:
  // A token that nobody cancels.
  constexpr CancellationToken() : epoch_(&kNeverCancelled) {}
  // A token of work that begins now.
  explicit CancellationToken(const CancellationSource& source)
      : epoch_(&source.epoch_),
        begun_(source.epoch_.load(std::memory_order_relaxed)) {}

  // The token of this thread's innermost CancellationScope; without one, a new
  // token of CancellationSource::OfProcess().
  static CancellationToken Current() {
    const CancellationToken* const current = internal::thread_work.token;
    if (current != nullptr) return *current;
    return CancellationToken(CancellationSource::OfProcess());
  }

  // Stays true. Costs one relaxed load.
  bool cancelled() const {
    return epoch_->load(std::memory_order_relaxed) != begun_;
  }

 private:
  static const std::atomic<uint64_t> kNeverCancelled;

  // Generated code reads these two (codegen/kernel_emitter.cc).
  const std::atomic<uint64_t>* epoch_;
  uint64_t begun_ = 0;
};

// While one lives, the work of this thread has `token`, which must outlive it;
// its end restores the one before. Threads that help with the work enter a
// scope of their own.
class CancellationScope {
 public:
  explicit CancellationScope(const CancellationToken& token)
      : before_(internal::thread_work.token) {
    internal::thread_work.token = &token;
  }
  ~CancellationScope() { internal::thread_work.token = before_; }
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

 private:
  const CancellationToken* const before_;
};

// Returns the token of this thread's innermost scope, or one that nobody
// cancels: what the loops of generated code look at. Never null.
extern "C" const CancellationToken* TesseraCancellationToken();

// Returns Cancelled: "run of NAME cancelled at PLACE".
absl::Status RunCancelled(absl::string_view name, absl::string_view place);

}  // namespace xla

#endif  // XLA_BASE_CONTROL_CANCELLATION_H_
