// What decides, once for a program, how its runs are started.
#ifndef XLA_CLIENT_PJRT_RUN_INLINE_RUNS_H_
#define XLA_CLIENT_PJRT_RUN_INLINE_RUNS_H_

#include "absl/status/status.h"
#include "xla/backends/compile_report.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Whether a run is short for certain, so that a caller may run it itself: one
// device, no custom calls or transfers, and less work than handing it to
// another thread is worth: by `report` if there is one, else no loops and calls
// and little arithmetic and memory, as an interpreter runs them.
bool RunsInline(const HloModule& module, const CompileReport* report);

// Whether a run exchanges data with the host through a device's queues.
bool UsesQueues(const HloModule& module);

// Errors: Unimplemented, which names the instruction, when running the module
// on each partition as it is would not be what its shardings mean. A module
// that says which shardings its parts came from is partitioned already.
absl::Status CheckRunsUnpartitioned(const HloModule& module);

}  // namespace xla

#endif  // XLA_CLIENT_PJRT_RUN_INLINE_RUNS_H_
