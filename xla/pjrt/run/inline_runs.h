// Decides, once for a program, how its runs are started.
#ifndef XLA_PJRT_RUN_INLINE_RUNS_H_
#define XLA_PJRT_RUN_INLINE_RUNS_H_

#include <atomic>

#include "absl/time/time.h"
#include "xla/backends/compile_report.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Decides whether runs of a program are so short that the caller runs them
// itself: one device, no custom calls or transfers, and less work than a
// handover to another thread costs. It uses the compiler's estimate and, if
// that is not far above the bound, the measured time of a run. Where only the
// trip counts of loops are unknown, which depend on data, it goes by the last
// run. Without a report
// it allows no loops and calls and little arithmetic and memory, for an
// interpreter. Thread safe.
class InlineRuns {
 public:
  InlineRuns(const HloModule& module, const CompileReport* report);

  bool allowed() const { return allowed_.load(std::memory_order_relaxed); }
  // True if Measured() may change the answer.
  bool wants_measures() const { return varies_ || (near_bound_ && !allowed()); }
  // Reports the time of a run, on another thread unless `allowed`.
  void Measured(absl::Duration time);

 private:
  std::atomic<bool> allowed_ = false;
  bool near_bound_ = false;
  bool varies_ = false;
};

// True if a run exchanges data with the host through a device's queues.
bool UsesQueues(const HloModule& module);

}  // namespace xla

#endif  // XLA_PJRT_RUN_INLINE_RUNS_H_
