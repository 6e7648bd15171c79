// The handler of SIGINT.
#include "xla/tools/progress/interrupts.h"

#include <signal.h>

#include <atomic>

#include "xla/base/control/cancellation.h"

namespace xla::tools {
namespace {

std::atomic<bool> was_interrupted{false};
std::atomic<bool> waits_for_input{false};

// SA_RESETHAND has restored the default handler.
void OnInterrupt(int signal) {
  was_interrupted.store(true, std::memory_order_relaxed);
  CancellationSource::OfProcess().Cancel();
  // Pending until this returns.
  if (waits_for_input.load(std::memory_order_relaxed)) raise(signal);
}

void HandleInterrupt() {
  struct sigaction action{};
  if (sigaction(SIGINT, nullptr, &action) != 0 ||
      action.sa_handler == SIG_IGN) {
    return;
  }
  action = {};
  action.sa_handler = OnInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

absl::Status RunInterruptibly(absl::FunctionRef<absl::Status()> command) {
  // One token for all that follows: what begins after the signal ends too.
  const CancellationToken token(CancellationSource::OfProcess());
  const CancellationScope scope(token);
  HandleInterrupt();
  return command();
}

bool WasInterrupted() {
  return was_interrupted.load(std::memory_order_relaxed);
}

InputWait::InputWait() { waits_for_input = true; }

InputWait::~InputWait() { waits_for_input = false; }

}  // namespace xla::tools
