// Emits fft: runs the kernel with a plan that is made once.
#include "xla/backends/cpu/kernels/fft.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/library/fft_thunk.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/linear_algebra.h"

namespace xla::cpu {
ThunkOr EmitFftThunk(const HloInstruction& hlo,
                     const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  if (ShapeUtil::ElementsIn(hlo.shape()) == 0) return nullptr;
  const FftAttrs& attrs = hlo.attrs<FftAttrs>();
  FftThunk::Spec spec;
  FftDesc& desc = spec.desc;
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
  spec.target = context.kernel_target();
  TF_ASSIGN_OR_RETURN(spec.operand, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(spec.result, context.SliceOf(hlo, 0));
  ThunkOr thunk = FftThunk::Make(hlo.name(), std::move(spec));
  if (!thunk.ok()) return AddStatus(thunk.status(), hlo.name());
  return thunk;
}

}  // namespace xla::cpu
