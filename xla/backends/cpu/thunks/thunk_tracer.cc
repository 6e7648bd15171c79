// Reads the clock after each thunk, and before and after each task.
#include "xla/backends/cpu/thunks/thunk_tracer.h"

#include <utility>

namespace xla::cpu {

absl::StatusOr<ThunkResult> ThunkTracer::Run(const Thunk& thunk, DeviceRun& run,
                                             int64_t here) {
  op_ = thunk.trace_number();
  const int64_t last_end_ns = std::exchange(last_end_ns_, 0);
  if (op_ < 0) return thunk.Run(run, here);
  TraceEvent event{.begin_ns = last_end_ns != 0 ? last_end_ns : TraceNow(),
                   .context = context_,
                   .op = op_,
                   .kind = TraceEvent::Kind::kThunk};
  absl::StatusOr<ThunkResult> result = thunk.Run(run, here);
  event.end_ns = TraceNow();
  session_->Record(event);
  // The device of a suspended thunk waits before it goes on.
  if (result.ok() && !result->suspended) last_end_ns_ = event.end_ns;
  return result;
}

void ThunkTracer::ParallelFor(int64_t count,
                              absl::FunctionRef<void(int64_t)> fn) {
  if (op_ < 0 || count <= 1) return runner_->ParallelFor(count, fn);
  const uint64_t loop = session_->NewLoop();
  runner_->ParallelFor(count, [&](int64_t i) {
    TraceEvent event{.begin_ns = TraceNow(),
                     .context = context_,
                     .op = op_,
                     .kind = TraceEvent::Kind::kTask};
    fn(i);
    event.end_ns = TraceNow();
    session_->RecordTask(loop, event);
  });
}

}  // namespace xla::cpu
