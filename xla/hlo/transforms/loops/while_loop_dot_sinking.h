// Adds up after a loop, in one product, those that the iterations add to an
// array, as gradients of weights do:
//
//   body: x = f32[8,128] reshape(dynamic-slice(xs, i, 0, 0))
//         y = f32[8,512], of whatever
//         s = f32[128,512] add(sum, dot(x, y)), contracted over the 8 rows
//     =>
//   body: ys = f32[64,8,512] dynamic-update-slice(ys, reshape(y), i, 0, 0)
//   s = f32[128,512] add(sum, dot(reshape(xs), reshape(ys))), after the loop
//
// where xs = f32[64,8,128] never changes, i takes each of its rows once, up or
// down, and nothing else reads the sum in the loop. The product may be the
// other way round or transposed, and y such a slice too. Only of few rows each
// iteration, and where ys is not too large.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_SINKING_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_SINKING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopDotSinking : public HloPassInterface {
 public:
  absl::string_view name() const override { return "while-loop-dot-sinking"; }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_SINKING_H_
