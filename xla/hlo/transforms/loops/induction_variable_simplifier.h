// Uses what values a counter has inside its loop:
//
//   w = while(t), condition=i < 10, body:
//     below = pred[] compare(i, zero), direction=LT
//     fits = pred[] compare(i, ten), direction=LT
//     at = s32[] clamp(zero, i, nine)
//       =>  false; true; i
//
// So with what is computed from a counter by integer arithmetic, as long as
// that cannot wrap around. Of counters that are always equal the first one does
// for all; `while-simplifier` drops the others. Assumed are bodies that take
// their argument apart and make a tuple; only scalars are looked at, loops
// inside see none of it, and the condition is left alone.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_INDUCTION_VARIABLE_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_LOOPS_INDUCTION_VARIABLE_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class InductionVariableSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "induction-variable-simplifier";
  }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_INDUCTION_VARIABLE_SIMPLIFIER_H_
