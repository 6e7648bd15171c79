// Replaces scaled-dot by products and a dot:
//
//   scaled-dot(lhs, rhs, lhs_scale, rhs_scale)
//     =>  dot(convert(lhs) * each of lhs_scale over its block,
//             convert(rhs) * each of rhs_scale over its block)
//
// The products are f32, or f64 if the operand or its scale is f64. Dynamic
// dimensions are left alone.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_SCALED_DOT_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_LINEAR_SCALED_DOT_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ScaledDotExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "scaled-dot-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_SCALED_DOT_EXPANDER_H_
