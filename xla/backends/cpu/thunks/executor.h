// RunDevices: runs the thunks of an executable on the devices of a run.
#ifndef XLA_BACKENDS_CPU_THUNKS_EXECUTOR_H_
#define XLA_BACKENDS_CPU_THUNKS_EXECUTOR_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {

// Runs `thunks` on each of `devices`, which have begun and are all those of
// their group, in the order of their numbers; those of other processes are
// null, and one at least is not. Either each of them has a tracer or none has.
// Returns when all have ended. A single device runs on this thread. Several run
// on this thread and, if it has free ones, on workers of `pool`; devices that
// wait for others hold no thread. If `pool` is null, a device that waits for
// the host blocks the others. Errors: that of the first device that failed,
// which stops the others; Aborted, saying what they wait for, if devices wait
// for each other in vain; Cancelled, naming a thunk, if the run's token was
// cancelled before the last thunk had ended. The tokens of the devices are the
// same.
absl::Status RunDevices(const ThunkSequence& thunks,
                        absl::Span<DeviceRun* const> devices, ThreadPool* pool);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_EXECUTOR_H_
