// A chained signal handler, which does only what signal handlers may.
#include "xla/pjrt/run/interrupts.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "xla/base/control/cancellation.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

// The handlers that were in place, by signal. An entry is written before the
// handler that reads it is installed.
struct sigaction earlier[NSIG];

std::atomic<int64_t> grace_ns{0};
// On the monotonic clock; 0: never.
std::atomic<int64_t> interrupted_ns{0};
// The thread that calls an earlier handler now; 0: none. A later handler that
// calls this one as its own earlier one becomes an earlier one when this one is
// put in place again; without this the two would call each other forever.
std::atomic<int64_t> calling{0};

int64_t MonotonicNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void OnSignal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  interrupted_ns.store(MonotonicNow(), std::memory_order_relaxed);
  CancellationSource::OfProcess().Cancel();
  const int64_t self = syscall(SYS_gettid);
  const int64_t before = calling.exchange(self, std::memory_order_relaxed);
  errno = saved_errno;
  if (before == self) return;
  const struct sigaction& next = earlier[signal];
  if ((next.sa_flags & SA_SIGINFO) != 0) {
    next.sa_sigaction(signal, info, context);
  } else {
    next.sa_handler(signal);
  }
  calling.store(before, std::memory_order_relaxed);
}

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 &&
         action.sa_sigaction == &OnSignal;
}

bool IsHandler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

absl::Status CancelOnSignal(int signal, absl::Duration grace) {
  if (grace < absl::ZeroDuration() || grace > absl::Minutes(1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the grace of an interrupt must be between 0 and a minute, got ",
        absl::FormatDuration(grace)));
  }
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  struct sigaction now{};
  if (signal <= 0 || signal >= NSIG || signal == SIGKILL || signal == SIGSTOP ||
      sigaction(signal, nullptr, &now) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("signal ", signal, " cannot be handled"));
  }
  if (!IsOurs(now)) {
    if (!IsHandler(now)) {
      return absl::FailedPreconditionError(absl::StrCat(
          "signal ", signal, " has no handler: it is ",
          now.sa_handler == SIG_IGN ? "ignored" : "left to the system"));
    }
    earlier[signal] = now;
    struct sigaction ours = now;  // its mask, its stack, whether calls restart
    ours.sa_flags = now.sa_flags | SA_SIGINFO;
    ours.sa_sigaction = &OnSignal;
    if (sigaction(signal, &ours, nullptr) != 0) {
      return absl::InternalError(
          absl::StrCat("signal ", signal, " takes no handler"));
    }
  }
  grace_ns.store(absl::ToInt64Nanoseconds(grace), std::memory_order_relaxed);
  return absl::OkStatus();
}

void AwaitInterruptGrace() {
  const int64_t begin = interrupted_ns.load(std::memory_order_relaxed);
  if (begin == 0) return;
  const int64_t left =
      begin + grace_ns.load(std::memory_order_relaxed) - MonotonicNow();
  if (left <= 0) return;
  const BlockingSection section;
  absl::SleepFor(absl::Nanoseconds(left));
}

}  // namespace xla
