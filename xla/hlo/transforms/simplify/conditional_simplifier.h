// Simplifies or removes conditionals:
//
//   p = pred[] constant(true)
//   ROOT c = f32[] conditional(p, a, b),      =>   ROOT y = f32[] negate(a)
//       true_computation=negates, false_computation=doubles
//
// - For a constant index, a single branch, or equal branches of the same
//   operand, the branch replaces the conditional.
// - If all branches are a few element-wise scalar ops, all run, and select
//   chooses.
// - Elements of a result tuple, or of a branch's operand tuple, that are never
//   read are dropped if the branch has no other caller.
//
// A constant index must be a constant instruction (constant-folding makes
// them); values known inside a branch are not used.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CONDITIONAL_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CONDITIONAL_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ConditionalSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override { return "conditional-simplifier"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CONDITIONAL_SIMPLIFIER_H_
