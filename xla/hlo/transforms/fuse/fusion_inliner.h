// Inlines the fusions of the input program, so that the backend can make its
// own:
//
//   ROOT f = f32[4] fusion(x), kind=kLoop, calls=twice  =>  ROOT y = f32[4]
//                                                               add(x, x)
// Belongs at the start of a pipeline, since it undoes what fusion passes do.
// Errors: ResourceExhausted as for call-inliner.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_INLINER_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_INLINER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class FusionInliner : public HloPassInterface {
 public:
  absl::string_view name() const override { return "fusion-inliner"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_INLINER_H_
