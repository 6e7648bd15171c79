// Expresses the order of complex numbers in real ones:
//
//   maximum(a, b)   =>  select(real(a) >= real(b), a, b)
//   minimum(a, b)   =>  select(real(a) <= real(b), a, b)
//   clamp(l, x, h)  =>  minimum(maximum(l, x), h)
//   a < b           =>  real(a) < real(b) or
//                         (real(a) == real(b) and imag(a) < imag(b))
//   a <= b          =>  real(a) <= real(b)
//
// and likewise > and >=. XLA:CPU compares complex numbers so; equality is left
// alone. Later passes need not know that these maxima do not commute.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_COMPLEX_ORDER_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_COMPLEX_ORDER_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ComplexOrderExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "complex-order-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_COMPLEX_ORDER_EXPANDER_H_
