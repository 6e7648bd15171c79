// Computes before a loop what is the same in each iteration:
//
//   body: n = f32[8,8] dot(a, b)        n = f32[8,8] dot(a, b), before
//         y = f32[8,8] add(x, n)   =>   body: y = f32[8,8] add(x, n), with n
//   of elements a, b that it never          a new element of the carry
//   changes
//
// Left alone: results larger than the operands they depend on, and ops that
// cost nothing or describe more than they hold (reshape, broadcast, iota,
// constants), which move only along with what uses them; ops with side effects
// or control edges.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_INVARIANT_CODE_MOTION_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_INVARIANT_CODE_MOTION_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopInvariantCodeMotion : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "while-loop-invariant-code-motion";
  }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_INVARIANT_CODE_MOTION_H_
