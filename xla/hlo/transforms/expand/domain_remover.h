// Removes domain ops, which only mark where shardings meet:
//
//   d = f32[4] domain(x), domain={...}
//   ROOT n = f32[4] negate(d)            =>   ROOT n = f32[4] negate(x)
#ifndef XLA_HLO_TRANSFORMS_EXPAND_DOMAIN_REMOVER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_DOMAIN_REMOVER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DomainRemover : public HloPassInterface {
 public:
  absl::string_view name() const override { return "domain-remover"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_DOMAIN_REMOVER_H_
