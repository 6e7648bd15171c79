// Recognizes the expansion of erfc that StableHLO's legalization of chlo.erfc
// sends in place of the function, and puts the function back:
//
//   some 75 instructions on x, f32[n]   =>   f32[n] erfc(x)
//
// JAX writes erfc in exact gelu and in the distribution function of the normal
// distribution. The op is nearer to erfc than the expansion, which is off by
// 65 ulp where x is large, and takes half the time. The expansion in f64 is
// left as it is.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_ERFC_RAISING_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_ERFC_RAISING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ErfcRaising : public HloPassInterface {
 public:
  absl::string_view name() const override { return "erfc-raising"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

// The opposite, for readers of HLO other than this project: XLA has no erfc.
// Leaves types other than f32, which only the op's own text can bring, alone.
class ErfcExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "erfc-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_ERFC_RAISING_H_
