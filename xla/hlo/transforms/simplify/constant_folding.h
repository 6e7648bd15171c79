// Evaluates at compile time what depends only on constants:
//
//   a = f32[] constant(2)
//   b = f32[] constant(3)        =>     ROOT c = f32[] constant(5)
//   ROOT c = f32[] add(a, b)
//
// The evaluator computes the values. Not folded are results of more than 64 KiB
// that are larger than their operands (a broadcast is a shorter description),
// work beyond some million steps, control flow, random numbers, collectives,
// transfers, custom calls, dynamic sizes, and ops that the evaluator rejects.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CONSTANT_FOLDING_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CONSTANT_FOLDING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ConstantFolding : public HloPassInterface {
 public:
  absl::string_view name() const override { return "constant-folding"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CONSTANT_FOLDING_H_
