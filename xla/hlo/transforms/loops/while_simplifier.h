// Removes loops, and elements that they carry needlessly:
//
//   t = (s32[], f32[4], f32[4]) tuple(zero, x, y)
//   w = while(t), condition=i < 10, body=(i + 1, v + u, u)
//   ROOT v = get-tuple-element(w), index=1
//     =>  u of the body stays in the carry if y is not a constant; an element
//         that never changes is read from the initial carry after the loop, a
//         scalar constant is put into the computations, and elements that
//         neither condition, nor users, nor other live elements read are
//         dropped
//
// A loop that never runs is its initial carry; one that runs once is its body.
// Leaves conditions with side effects and loops with control edges alone; to
// loops whose result is used as a whole only the first two rules apply.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override { return "while-simplifier"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_SIMPLIFIER_H_
