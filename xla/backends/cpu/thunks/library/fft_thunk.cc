// Runs plans of Fourier transforms.
#include "xla/backends/cpu/thunks/library/fft_thunk.h"

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/library/kernel_fields.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {

template <typename Archive>
void Fields(Archive& archive, FftThunk::Spec& spec) {
  archive(spec.desc, spec.target, spec.operand, spec.result);
}

absl::StatusOr<std::unique_ptr<Thunk>> FftThunk::Make(std::string name,
                                                      Spec spec) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const FftPlan> plan,
                      FftPlan::Make(spec.desc, spec.target));
  return std::unique_ptr<Thunk>(
      new FftThunk(std::move(name), std::move(spec), std::move(plan)));
}

absl::Status FftThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kFft, *this);
  writer(spec_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> FftThunk::Read(std::string name,
                                                      ThunkReader& reader) {
  Spec spec;
  reader(spec);
  TF_RETURN_IF_ERROR(reader.status());
  return Make(std::move(name), std::move(spec));
}

absl::StatusOr<ThunkResult> FftThunk::Run(DeviceRun& run, int64_t here) const {
  plan_->Run(run.At(spec_.operand), run.At(spec_.result), run.scratch(),
             run.runner());
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
