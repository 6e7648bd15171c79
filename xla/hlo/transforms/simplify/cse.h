// Common subexpression elimination:
//
//   b = f32[] negate(a)
//   c = f32[] negate(a)          =>    b = f32[] negate(a)
//   ROOT d = f32[] add(b, c)           ROOT d = f32[] add(b, b)
//
// Keeps the first of instructions with the same opcode, shape, operands,
// attributes and (equal) called computations. Commuted operands count as equal
// for commutative ops. Ops with side effects or state and parameters are left
// alone. Layouts must agree.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CSE_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CSE_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class HloCSE : public HloPassInterface {
 public:
  absl::string_view name() const override { return "cse"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CSE_H_
