// Moves the products that a loop's iterations make of slices of an unchanging
// array before the loop, as one product:
//
//   body: s = f32[1,8,128] dynamic-slice(xs, i, 0, 0)
//         x = f32[8,128] reshape(s)
//         d = f32[8,512] dot(x, w)
//     =>  a = f32[512,512] dot(reshape(xs), w)              before the loop
//   body: d = f32[8,512] reshape(dynamic-slice(reshape(a), i, 0, 0))
//
// for xs = f32[64,8,128] and w that the loop never changes, and any i. If a
// would be large and i goes up or down by one, the iterations instead make and
// keep one block of it after the other (dot_blocks.h). Applies to dots without
// batch dimensions whose left operand is the slice, contracted along its last
// dimension, if the loop runs at least about as often as there are slices, a
// slice has few rows, and the result is not much larger than the array.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_HOISTING_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_HOISTING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopDotHoisting : public HloPassInterface {
 public:
  absl::string_view name() const override { return "while-loop-dot-hoisting"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOT_HOISTING_H_
