// Puts a dot or convolution and what is computed of each element of its result
// into a fusion of kind kCustom, so that the result is still in the cache when
// it is read:
//
//   y = f32[128,3072] dot(x, w)              r = f32[128,3072]
//   r = f32[128,3072] fusion(y, b),     =>       fusion(x, w, b), kind=kCustom
//           kind=kLoop (max(y + b, 0))
//
// The fusion contains both instructions. So does one of a dot and what computes
// an operand of it element by element, of which the whole array is then never
// in memory (a prologue):
//
//   v = f32[768,3072] fusion(q, s),          y = f32[4,3072]
//           kind=kLoop (f32(q) * s)   =>         fusion(x, q, s), kind=kCustom
//   y = f32[4,3072] dot(x, v)
//
// The backend says which groups it can compute in these ways. Assumes products
// in canonical form and the fusions of instruction-fusion and attention-fusion.
#ifndef XLA_HLO_TRANSFORMS_FUSE_EPILOGUE_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_EPILOGUE_FUSION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/chain_fusion.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

class EpilogueFusion : public HloPassInterface {
 public:
  // The frontend attribute of what writes an operand of a product, which says
  // why it is not computed while it is read. Only explanations have it.
  static constexpr absl::string_view kReasonAttribute = "prologue_reason";

  // `backend` outlives the pass. `explain` adds the attribute and changes
  // nothing else.
  explicit EpilogueFusion(const FusionBackend* backend, bool explain = false)
      : backend_(backend), explain_(explain) {}

  absl::string_view name() const override { return "epilogue-fusion"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  std::vector<ChainLink> LinksOf(const HloInstruction& product) const;
  void Explain(const HloInstruction& product) const;

  const FusionBackend* const backend_;
  const bool explain_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_EPILOGUE_FUSION_H_
