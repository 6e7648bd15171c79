// Replaces ragged-dot by dot over all groups and masks:
//
//   ragged free dimension:        [m,k] x [g,k,n], [g] -> [m,n]
//     =>  p = f32[m,g,n] dot(lhs, rhs)
//         reduce over g of select(row is in group, p, 0)
//   ragged contracting dimension: [m,k] x [k,n], [g] -> [g,m,n]
//     =>  dot over k, with batch g, of lhs and rhs where k is in the group
//   ragged batch dimension:       the dot of the same dimensions
//
// Elements are masked, not multiplied by zero, so that infinities outside a
// group do not matter. This takes the work of g dots. Dynamic dimensions are
// left alone.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_RAGGED_DOT_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_LINEAR_RAGGED_DOT_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class RaggedDotExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "ragged-dot-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_RAGGED_DOT_EXPANDER_H_
