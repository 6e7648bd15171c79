// What decides, once for a program, how its runs are started.
#ifndef XLA_PJRT_RUN_INLINE_RUNS_H_
#define XLA_PJRT_RUN_INLINE_RUNS_H_

#include <atomic>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "xla/backends/compile_report.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Whether runs of a program are so short that a caller runs them itself: one
// device, no custom calls or transfers, and less work than handing it to
// another thread is worth. By the compiler's estimate, and where that is not
// far above the bound by what a run took; without a report, no loops and calls
// and little arithmetic and memory, as an interpreter runs them. Thread-safe.
class InlineRuns {
 public:
  InlineRuns(const HloModule& module, const CompileReport* report);

  bool allowed() const { return allowed_.load(std::memory_order_relaxed); }
  // Whether Measured() may change the answer.
  bool wants_measures() const { return near_bound_ && !allowed(); }
  // What a run took on another thread.
  void Measured(absl::Duration time);

 private:
  std::atomic<bool> allowed_ = false;
  bool near_bound_ = false;
};

// Whether a run exchanges data with the host through a device's queues.
bool UsesQueues(const HloModule& module);

// Whether a custom call's FFI handler asks for runs on the thread of the caller
// (ffi::kRunsOnCaller).
bool RunsOnCaller(const HloModule& module);

// Errors: Unimplemented, which names the instruction, when running the module
// on each partition as it is would not be what its shardings mean. A module
// that says which shardings its parts came from is partitioned already.
absl::Status CheckRunsUnpartitioned(const HloModule& module);

}  // namespace xla

#endif  // XLA_PJRT_RUN_INLINE_RUNS_H_
