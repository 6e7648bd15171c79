// Computes reductions of small floats in f32 and rounds their results once:
//
//   ROOT r = bf16[] reduce(bf16[n] x, z), to_apply=add
//     =>  w = f32[] reduce(f32[n] convert(x), f32[] convert(z)),
//     to_apply=add.f32
//         ROOT r = bf16[] convert(w)
//
// The evaluator does the same with sums and products; the result is as accurate
// as the type allows, however long the reduction. Maxima and minima are exact
// in either type, and each step in f32 saves a conversion. Leaves reducers that
// are not a single add, multiply, maximum or minimum of their two parameters
// alone, and types of 32 bits and more.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_REDUCTION_WIDENER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_REDUCTION_WIDENER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ReductionWidener : public HloPassInterface {
 public:
  absl::string_view name() const override { return "reduction-widener"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_REDUCTION_WIDENER_H_
