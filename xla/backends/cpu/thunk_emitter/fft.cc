// Emits fft: runs the kernel with a plan that is made once.
#include "xla/backends/cpu/kernels/fft.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/linear_algebra.h"

namespace xla::cpu {
namespace {

class FftThunk : public Thunk {
 public:
  FftThunk(std::string name, std::unique_ptr<const FftPlan> plan, Slice operand,
           Slice result)
      : Thunk(std::move(name)),
        plan_(std::move(plan)),
        operand_(operand),
        result_(result) {}
  absl::string_view kind() const override { return "fft"; }

  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_).Write(result_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    plan_->Run(run.At(operand_), run.At(result_), run.scratch(), run.runner());
    return ThunkResult{here + 1};
  }

 private:
  const std::unique_ptr<const FftPlan> plan_;
  const Slice operand_, result_;
};

}  // namespace

ThunkOr EmitFftThunk(const HloInstruction& hlo,
                     const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  if (ShapeUtil::ElementsIn(hlo.shape()) == 0) return nullptr;
  const FftAttrs& attrs = hlo.attrs<FftAttrs>();
  FftDesc desc;
  desc.type = attrs.fft_type;
  desc.lengths.assign(attrs.fft_length.begin(), attrs.fft_length.end());
  switch (hlo.shape().element_type()) {
    case F32:
    case C64:
      break;
    case F64:
    case C128:
      desc.wide = true;
      break;
    default:
      return absl::UnimplementedError(
          absl::StrCat(hlo.name(), ": fft to ", hlo.shape().ToString()));
  }
  const int64_t outer =
      hlo.shape().rank() - static_cast<int64_t>(desc.lengths.size());
  for (int64_t d = 0; d < outer; ++d) desc.batch *= hlo.shape().dimensions(d);
  absl::StatusOr<std::unique_ptr<const FftPlan>> plan =
      FftPlan::Make(desc, context.kernel_target());
  if (!plan.ok()) return AddStatus(plan.status(), hlo.name());
  TF_ASSIGN_OR_RETURN(const Slice operand, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(const Slice result, context.SliceOf(hlo, 0));
  return std::make_unique<FftThunk>(hlo.name(), *std::move(plan), operand,
                                    result);
}

}  // namespace xla::cpu
