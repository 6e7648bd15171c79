// Replaces mulhi by a wider product:
//
//   h = u32[n] mulhi(x, y)
//     =>  h = convert((convert<u64>(x) * convert<u64>(y)) >> 32)
//
// Products of 64-bit integers are combined from the products of their halves.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_MULHI_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_MULHI_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class MulhiExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "mulhi-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_MULHI_EXPANDER_H_
