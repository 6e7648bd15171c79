// ThunkTracer: records the thunks of a run and the parallel loops that they
// start. A run has one only while a TraceSession records.
#ifndef XLA_BACKENDS_CPU_THUNKS_THUNK_TRACER_H_
#define XLA_BACKENDS_CPU_THUNKS_THUNK_TRACER_H_

#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla::cpu {

// Records thunks that have a number (Thunk::trace_number). It is the run's
// ParallelRunner, so that it sees their loops. One thread at a time runs thunks
// with it; thunks that run side by side have a copy each.
class ThunkTracer : public ParallelRunner {
 public:
  // Records to `session`, as its run number `context`. Loops go on `runner`.
  ThunkTracer(std::shared_ptr<TraceSession> session, uint32_t context,
              ParallelRunner* runner)
      : session_(std::move(session)), context_(context), runner_(runner) {}

  // Runs `thunk` on `run`, whose tracer this is, and records it.
  absl::StatusOr<ThunkResult> Run(const Thunk& thunk, DeviceRun& run,
                                  int64_t here);

  int num_threads() const override { return runner_->num_threads(); }
  // Records each task on the thread that runs it.
  void ParallelFor(int64_t count, absl::FunctionRef<void(int64_t)> fn) override;

 private:
  std::shared_ptr<TraceSession> session_;
  uint32_t context_;
  ParallelRunner* runner_;
  int32_t op_ = -1;  // the number of the thunk that runs; -1: it has none
  // When the thunk before ended, which is when the next one begins; 0 if the
  // clock has to be read, since something else may have happened in between.
  int64_t last_end_ns_ = 0;
};

// Runs `thunk`, and records it if the run has a tracer.
inline absl::StatusOr<ThunkResult> RunThunk(const Thunk& thunk, DeviceRun& run,
                                            int64_t here) {
  ThunkTracer* const tracer = run.tracer();
  return tracer == nullptr ? thunk.Run(run, here)
                           : tracer->Run(thunk, run, here);
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_THUNK_TRACER_H_
