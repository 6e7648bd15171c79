// Puts a dot or convolution and what is computed of each element of its result
// into a fusion of kind kCustom, so that the result is still in the cache when
// it is read:
//
//   y = f32[128,3072] dot(x, w)              r = f32[128,3072]
//   r = f32[128,3072] fusion(y, b),     =>       fusion(x, w, b), kind=kCustom
//           kind=kLoop (max(y + b, 0))
//
// The fusion contains both instructions. The backend says which groups it can
// compute in this way. Assumes products in canonical form and the fusions of
// instruction-fusion and attention-fusion.
#ifndef XLA_HLO_TRANSFORMS_FUSE_EPILOGUE_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_EPILOGUE_FUSION_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

class EpilogueFusion : public HloPassInterface {
 public:
  // `backend` outlives the pass.
  explicit EpilogueFusion(const FusionBackend* backend) : backend_(backend) {}

  absl::string_view name() const override { return "epilogue-fusion"; }
  absl::StatusOr<bool> Run(HloModule* module) override;

 private:
  const FusionBackend* const backend_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_EPILOGUE_FUSION_H_
