// Implements jumps.
#include "xla/backends/cpu/thunks/control_thunks.h"

#include <cstring>

#include "xla/backends/cpu/thunks/device_run.h"

namespace xla::cpu {

absl::StatusOr<ThunkResult> JumpThunk::Run(DeviceRun& run, int64_t here) const {
  return ThunkResult{target_};
}

absl::StatusOr<ThunkResult> JumpIfFalseThunk::Run(DeviceRun& run,
                                                  int64_t here) const {
  return ThunkResult{*run.At(predicate_) != 0 ? here + 1 : target_};
}

absl::StatusOr<ThunkResult> SwitchThunk::Run(DeviceRun& run,
                                             int64_t here) const {
  const char* data = run.At(index_);
  const auto last = static_cast<int32_t>(targets_.size()) - 1;
  int32_t branch;
  if (is_pred_) {
    branch = *data != 0 ? 0 : 1;
  } else {
    std::memcpy(&branch, data, sizeof(branch));
    if (branch < 0 || branch > last) branch = last;
  }
  return ThunkResult{targets_[branch]};
}

}  // namespace xla::cpu
