// Replaces the products that a loop's iterations add to an array, as for
// gradients of weights, by one product after the loop:
//
//   body: x = f32[8,128] reshape(dynamic-slice(xs, i, 0, 0))
//         y = f32[8,512], any value s = f32[128,512] add(sum, dot(x, y)),
//         contracted over the 8 rows
//     =>
//   body: ys = f32[64,8,512] dynamic-update-slice(ys, reshape(y), i, 0, 0)
//   s = f32[128,512] add(sum, dot(reshape(xs), reshape(ys))), after the loop
//
// where xs = f32[64,8,128] never changes, i takes each of its rows once, up or
// down, and nothing else reads the sum in the loop. The operands of the product
// may be swapped, it may be transposed, and y may be such a slice too. Applies
// only to few rows per iteration, and if ys is not too large.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_SINKING_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_SINKING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopDotSinking : public HloPassInterface {
 public:
  absl::string_view name() const override { return "while-loop-dot-sinking"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_SINKING_H_
