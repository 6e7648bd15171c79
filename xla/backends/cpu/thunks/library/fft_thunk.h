// The thunk of fft.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_FFT_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_FFT_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/fft.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

class FftThunk : public Thunk {
 public:
  struct Spec {
    FftDesc desc;
    KernelTarget target;
    Slice operand, result;
  };

  // Errors: those of FftPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "fft"; }
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(spec_.operand).Write(spec_.result);
  }
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  FftThunk(std::string name, Spec spec, std::unique_ptr<const FftPlan> plan)
      : Thunk(std::move(name)),
        spec_(std::move(spec)),
        plan_(std::move(plan)) {}

  const Spec spec_;
  const std::unique_ptr<const FftPlan> plan_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_FFT_THUNK_H_
