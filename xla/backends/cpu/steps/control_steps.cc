// Jumps.
#include "xla/backends/cpu/steps/control_steps.h"

#include <cstring>

#include "xla/backends/cpu/steps/device_run.h"

namespace xla::cpu {

absl::StatusOr<StepResult> JumpStep::Run(DeviceRun& run, int64_t here) const {
  return StepResult{target_};
}

absl::StatusOr<StepResult> JumpIfFalseStep::Run(DeviceRun& run,
                                                int64_t here) const {
  return StepResult{*run.At(predicate_) != 0 ? here + 1 : target_};
}

absl::StatusOr<StepResult> SwitchStep::Run(DeviceRun& run, int64_t here) const {
  const char* data = run.At(index_);
  const auto last = static_cast<int32_t>(targets_.size()) - 1;
  int32_t branch;
  if (is_pred_) {
    branch = *data != 0 ? 0 : 1;
  } else {
    std::memcpy(&branch, data, sizeof(branch));
    if (branch < 0 || branch > last) branch = last;
  }
  return StepResult{targets_[branch]};
}

}  // namespace xla::cpu
