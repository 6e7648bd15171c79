// Moves an all-reduce out of a loop that only adds its results to an array, as
// when gradients are accumulated:
//
//   body: s = f32[8] add(sum, all-reduce(x))
//     =>
//   body: s = f32[8] add(sum, x), from zero
//   sum = f32[8] add(initial value, all-reduce(s)), after the loop
//
// where nothing else in the loop reads the sum, nor the all-reduce.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_ALL_REDUCE_CODE_MOTION_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_ALL_REDUCE_CODE_MOTION_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopAllReduceCodeMotion : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "while-loop-all-reduce-code-motion";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_ALL_REDUCE_CODE_MOTION_H_
