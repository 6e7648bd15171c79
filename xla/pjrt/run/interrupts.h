// Interrupts: a user's Ctrl-C ends what this process compiles and runs. Nothing
// here happens unless the host asks for it.
#ifndef XLA_PJRT_RUN_INTERRUPTS_H_
#define XLA_PJRT_RUN_INTERRUPTS_H_

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace xla {

// Makes `signal` (SIGINT) cancel CancellationSource::OfProcess() before it does
// what it did so far: the handler that is in place is called afterwards. A
// handler that the host installs later replaces this one; then, or at any time,
// another call puts it in place again. If it is in place, a call only changes
// `grace`.
//
// Results of runs on other threads that an interrupt ended are known to have
// failed only `grace` after it. A host that polls for its signals while it
// waits for results, as Python does, so learns of the interrupt and not of the
// error.
//
// Thread safe, except against other changes of the handler. Errors:
// InvalidArgument for what is no signal that can be handled, or if `grace` is
// not between 0 and a minute; FailedPrecondition if the signal is ignored or
// ends the process, as nobody would be told of it.
absl::Status CancelOnSignal(int signal, absl::Duration grace);

// Returns when the grace of the last interrupt is over.
void AwaitInterruptGrace();

}  // namespace xla

#endif  // XLA_PJRT_RUN_INTERRUPTS_H_
