// Thunks that choose the next thunk, made of while, conditional and call.
#ifndef XLA_BACKENDS_CPU_THUNKS_CONTROL_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_CONTROL_THUNKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// Targets are numbers of thunks; that of the end is the length of the list.
class JumpThunk : public Thunk {
 public:
  JumpThunk(std::string name, int64_t target)
      : Thunk(std::move(name)), target_(target) {}
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "jump"; }
  BufferUses buffer_uses() const override { return {}; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const int64_t target_;
};

// Continues with the following thunk if the pred[] is true, else with the
// target.
class JumpIfFalseThunk : public Thunk {
 public:
  JumpIfFalseThunk(std::string name, Slice predicate, int64_t target)
      : Thunk(std::move(name)), predicate_(predicate), target_(target) {}
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "jump-if-false"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(predicate_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Slice predicate_;
  const int64_t target_;
};

// Jumps to the target that a conditional selects: by an s32[] number, which
// selects the last one if it is out of range, or by a pred[], which selects the
// first of two if it is true.
class SwitchThunk : public Thunk {
 public:
  SwitchThunk(std::string name, Slice index, bool is_pred,
              std::vector<int64_t> targets)
      : Thunk(std::move(name)),
        index_(index),
        is_pred_(is_pred),
        targets_(std::move(targets)) {}
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "switch"; }
  BufferUses buffer_uses() const override { return BufferUses().Read(index_); }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Slice index_;
  const bool is_pred_;
  const std::vector<int64_t> targets_;  // at least one, for pred two
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_CONTROL_THUNKS_H_
