// Runs of the runtime library are not recorded.
#include "xla/backends/cpu/thunks/thunk_tracer.h"

namespace xla::cpu {

absl::StatusOr<ThunkResult> ThunkTracer::Run(const Thunk& thunk, DeviceRun& run,
                                             int64_t here) {
  return thunk.Run(run, here);
}

void ThunkTracer::ParallelFor(int64_t count,
                              absl::FunctionRef<void(int64_t)> fn) {
  runner_->ParallelFor(count, fn);
}

}  // namespace xla::cpu
