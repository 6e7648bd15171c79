// hlo_verifier: XLA's header, with its options.
#ifndef COMPAT_XLA_SERVICE_HLO_VERIFIER_H_
#define COMPAT_XLA_SERVICE_HLO_VERIFIER_H_

#include <utility>

#include "xla/hlo/verifier/hlo_verifier.h"  // IWYU pragma: export

namespace xla {

// Options for checks that Tessera always makes have no effect.
class HloVerifierOpts {
 public:
  HloVerifierOpts&& WithLayoutSensitive(bool layout_sensitive) {
    options_.layout_sensitive = layout_sensitive;
    return std::move(*this);
  }
  HloVerifierOpts&& MakeLayoutSensitive() { return WithLayoutSensitive(true); }
  HloVerifierOpts&& WithAllowMixedPrecision(bool allow) {
    options_.allow_mixed_precision = allow;
    return std::move(*this);
  }
  HloVerifierOpts&& AllowMixedPrecision() {
    return WithAllowMixedPrecision(true);
  }
  HloVerifierOpts&& VerifyInstructionNameUnchanged() {
    return std::move(*this);
  }

  // NOLINTNEXTLINE(google-explicit-constructor): as HloVerifier takes them.
  operator HloVerifierOptions() const { return options_; }

 private:
  HloVerifierOptions options_;
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_HLO_VERIFIER_H_
