// Computes once, when compiling, what depends on constants alone:
//
//   a = f32[] constant(2)
//   b = f32[] constant(3)        =>     ROOT c = f32[] constant(5)
//   ROOT c = f32[] add(a, b)
//
// The evaluator does the work. Left alone: results of more than 64 KiB that
// are larger than their operands (a broadcast says more in less), work beyond
// some million steps, control flow, random numbers, other devices, the host,
// custom calls, dynamic sizes, and what the evaluator refuses.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CONSTANT_FOLDING_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CONSTANT_FOLDING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ConstantFolding : public HloPassInterface {
 public:
  absl::string_view name() const override { return "constant-folding"; }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CONSTANT_FOLDING_H_
