// Puts two dots and the ops on the rows between them into a fusion of kind
// kCustom, whose values between the dots are never in memory as a whole:
//
//   s = f32[16,512,512] dot(q, k)             a = f32[16,512,64]
//   p = f32[16,512,512] fusion(s),       =>       fusion(q, k, v), kind=kCustom
//           kind=kInput (softmax)
//   a = f32[16,512,64] dot(p, v)
// The fusion contains these three instructions. The backend says which groups
// it can compute in this way, and does all three for a block of rows at a time.
// Assumes dots in canonical form and the fusions of instruction-fusion.
#ifndef XLA_HLO_TRANSFORMS_FUSE_ATTENTION_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_ATTENTION_FUSION_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

class AttentionFusion : public HloPassInterface {
 public:
  // `backend` outlives the pass.
  explicit AttentionFusion(const FusionBackend* backend) : backend_(backend) {}

  absl::string_view name() const override { return "attention-fusion"; }
  absl::StatusOr<bool> Run(HloModule* module) override;

 private:
  const FusionBackend* const backend_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_ATTENTION_FUSION_H_
