// How the command takes Ctrl-C. The library does not: only the commands that
// can be cancelled ask for it.
#ifndef XLA_TOOLS_PROGRESS_INTERRUPTS_H_
#define XLA_TOOLS_PROGRESS_INTERRUPTS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace xla::tools {

// The exit status of shells for what SIGINT ended.
inline constexpr int kInterruptedStatus = 130;

// Returns what `command` returns. The first SIGINT from now on, also after the
// command has ended, cancels what it compiles and runs, and the next one ends
// the process. SIGINT stays ignored if it is, as that of background jobs is.
absl::Status RunInterruptibly(absl::FunctionRef<absl::Status()> command);

// Whether a SIGINT has come.
bool WasInterrupted();

// While one lives, the process waits for what somebody types, and there is
// nothing to cancel: the first SIGINT ends it.
class InputWait {
 public:
  InputWait();
  ~InputWait();
  InputWait(const InputWait&) = delete;
  InputWait& operator=(const InputWait&) = delete;
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_PROGRESS_INTERRUPTS_H_
