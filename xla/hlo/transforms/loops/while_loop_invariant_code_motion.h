// Moves computations that are the same in each iteration before the loop:
//
//   body: n = f32[8,8] dot(a, b)        n = f32[8,8] dot(a, b), before
//         y = f32[8,8] add(x, n)   =>   body: y = f32[8,8] add(x, n), with n
//   of elements a, b that it never          a new element of the carry
//   changes
//
// Leaves results that are larger than the operands they depend on, and ops with
// side effects or control edges. Ops that cost nothing or expand little data
// (reshape, broadcast, iota, constants) move only along with their users.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_INVARIANT_CODE_MOTION_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_INVARIANT_CODE_MOTION_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopInvariantCodeMotion : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "while-loop-invariant-code-motion";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_INVARIANT_CODE_MOTION_H_
