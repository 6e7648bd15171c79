// What decides, once for a program, how its runs are started.
#ifndef XLA_CLIENT_PJRT_RUN_INLINE_RUNS_H_
#define XLA_CLIENT_PJRT_RUN_INLINE_RUNS_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Whether a run is short for certain, so that a caller may run it itself: one
// device, no loops of unknown length, calls, custom calls or transfers, and
// less arithmetic and memory than handing it to another thread is worth.
// `native`: the backend compiles to native code, and not to an interpreter's.
bool RunsInline(const HloModule& module, bool native);

// Whether a run exchanges data with the host through a device's queues.
bool UsesQueues(const HloModule& module);

// Errors: Unimplemented, which names the instruction, when running the module
// on each partition as it is would not be what its shardings mean. A module
// that says which shardings its parts came from is partitioned already.
absl::Status CheckRunsUnpartitioned(const HloModule& module);

}  // namespace xla

#endif  // XLA_CLIENT_PJRT_RUN_INLINE_RUNS_H_
