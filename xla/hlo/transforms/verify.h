// The verifier as a pass:
//
//   ROOT b = f32[3] negate(a)   =>   an error, if a is f32[4]
//
// Changes nothing. Accepts the form that layout-normalization gives a tiled
// entry.
#ifndef XLA_HLO_TRANSFORMS_VERIFY_H_
#define XLA_HLO_TRANSFORMS_VERIFY_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class VerifyPass : public HloPassInterface {
 public:
  absl::string_view name() const override { return "verify"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_VERIFY_H_
