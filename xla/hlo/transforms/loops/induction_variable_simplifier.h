// Simplifies by the range of values that a counter has inside its loop:
//
//   w = while(t), condition=i < 10, body:
//     below = pred[] compare(i, zero), direction=LT
//     fits = pred[] compare(i, ten), direction=LT
//     at = s32[] clamp(zero, i, nine)
//       =>  false; true; i
//
// The same holds for values computed from a counter by integer arithmetic that
// cannot wrap around. Counters that are always equal are replaced by the first
// of them; `while-simplifier` drops the others. Bodies must take their argument
// apart and make a tuple. Only scalars are considered; ranges are not used in
// inner loops, and the condition is left alone.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_INDUCTION_VARIABLE_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_LOOPS_INDUCTION_VARIABLE_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class InductionVariableSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "induction-variable-simplifier";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_INDUCTION_VARIABLE_SIMPLIFIER_H_
