// Replaces stochastic-convert by element-wise ops:
//
//   s = s8[n] stochastic-convert(x, random)
//     =>  whole = floor(|x|)
//         up    = random < (|x| - whole) * 2^(bits of random)
//         s     = convert(copysign(whole + up, x))
//
// and for floats the same in units of the distance between neighbours of |x|
// in the target type. Computes in f64, exactly.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_STOCHASTIC_CONVERT_DECOMPOSER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_STOCHASTIC_CONVERT_DECOMPOSER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class StochasticConvertDecomposer : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "stochastic-convert-decomposer";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_STOCHASTIC_CONVERT_DECOMPOSER_H_
