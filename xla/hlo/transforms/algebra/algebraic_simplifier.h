// Algebraic simplification, by rules that each replace one instruction:
//
//   y = s32[4] multiply(x, zeros)        ROOT r = s32[4] broadcast(zero)
//   z = s32[4] abs(y)               =>
//   ROOT r = s32[4] maximum(z, z)
//
// Rules never change a value: floats are not reassociated, and nan, infinities
// and the sign of zero are kept (README.md lists the few that may differ in
// the last place). Shapes stay the same, layouts too. Constants go to the
// right of commutative ops, constants of equal elements become broadcasts.
//
// Left alone: fusions and computations of asynchronous ops, scheduled modules,
// instructions with side effects, control edges or dynamic dimensions, and
// shardings that would be lost. Runs before copies are inserted, since it
// drops copies that change nothing.
#ifndef XLA_HLO_TRANSFORMS_ALGEBRA_ALGEBRAIC_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_ALGEBRA_ALGEBRAIC_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class AlgebraicSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override { return "algsimp"; }
  // Until no rule applies, or after some number of replacements per
  // instruction, which only a pair of rules that undo each other can reach.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_ALGEBRA_ALGEBRAIC_SIMPLIFIER_H_
