// Unrolls short loops completely:
//
//   w = (s32[], f32[4096]) while(t), condition=i < 3, body=(i + 1, v * c[i])
//   v = f32[4096] get-tuple-element(w), index=1
//     =>  v1 = multiply(v0, c[0]), v2 = multiply(v1, c[1]),
//         v = multiply(v2, c[2])
//
// so that values that one iteration stores and the next one reads need not be
// in memory, and indices are constants. Applies to few iterations with few
// instructions in all, and to more if iterations pass on arrays that are large
// for the cache. Leaves bodies alone that have side effects, loops, products or
// other work that is a call of its own.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_UNROLLER_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_UNROLLER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopUnroller : public HloPassInterface {
 public:
  absl::string_view name() const override { return "while-loop-unroller"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_UNROLLER_H_
