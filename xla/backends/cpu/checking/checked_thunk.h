// CheckedThunk: a thunk whose results are compared with the evaluator's.
#ifndef XLA_BACKENDS_CPU_CHECKING_CHECKED_THUNK_H_
#define XLA_BACKENDS_CPU_CHECKING_CHECKED_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/checking/thunk_computation.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Runs another thunk, and evaluates its computation on the arrays that the
// thunk finds in memory. Floating-point results may differ by some roundings,
// relative to the largest element and to what roundings of the operands would
// change; all others must be equal. Errors of Run, besides those of the thunk:
// Internal that names the thunk and its HLO, the first result that differs and
// its worst elements. What the evaluator does not support is not checked.
class CheckedThunk : public Thunk {
 public:
  CheckedThunk(std::unique_ptr<Thunk> thunk, ThunkComputation computation,
               std::shared_ptr<const HloModule> module);

  // "checked kernel"
  absl::string_view kind() const override { return kind_; }
  std::string algorithm() const override { return thunk_->algorithm(); }
  BufferUses buffer_uses() const override { return thunk_->buffer_uses(); }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;
  int64_t scratch_bytes(int num_threads) const override {
    return thunk_->scratch_bytes(num_threads);
  }
  std::string WaitsFor(const DeviceRun& run) const override {
    return thunk_->WaitsFor(run);
  }

 private:
  absl::StatusOr<std::vector<Literal>> Load(
      const std::vector<ThunkComputation::Array>& arrays, DeviceRun& run) const;
  // Returns the results of several trials with perturbed operands.
  absl::StatusOr<std::vector<std::vector<Literal>>> EvaluatePerturbed(
      const std::vector<Literal>& operands) const;
  absl::Status Compare(const std::vector<Literal>& operands,
                       const std::vector<Literal>& results) const;

  const std::unique_ptr<Thunk> thunk_;
  const std::string kind_;
  const ThunkComputation computation_;
  const std::shared_ptr<const HloModule> module_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_CHECKED_THUNK_H_
