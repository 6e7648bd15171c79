// Implements jumps.
#include "xla/backends/cpu/thunks/control_thunks.h"

#include <cstring>

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {

absl::Status JumpThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kJump, *this);
  writer(target_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> JumpThunk::Read(std::string name,
                                                       ThunkReader& reader) {
  int64_t target = 0;
  reader(target);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<JumpThunk>(std::move(name), target);
}

absl::Status JumpIfFalseThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kJumpIfFalse, *this);
  writer(predicate_, target_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> JumpIfFalseThunk::Read(
    std::string name, ThunkReader& reader) {
  Slice predicate;
  int64_t target = 0;
  reader(predicate, target);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<JumpIfFalseThunk>(std::move(name), predicate, target);
}

absl::Status SwitchThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kSwitch, *this);
  writer(index_, is_pred_, targets_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> SwitchThunk::Read(std::string name,
                                                         ThunkReader& reader) {
  Slice index;
  bool is_pred = false;
  std::vector<int64_t> targets;
  reader(index, is_pred, targets);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<SwitchThunk>(std::move(name), index, is_pred,
                                       std::move(targets));
}

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
