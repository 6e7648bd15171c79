// Replaces rng by Philox under a fresh key:
//
//   r = f32[n] rng(a, b), distribution=rng_uniform
//     =>  k = u64[] custom-call(), custom_call_target="__tessera_random_key"
//         w = u64[n] words of Philox under key k
//         r = convert(a + (b - a) * ((w >> 11) * 2^-53)), b itself excluded
//
// Normal numbers are Box and Muller's, integers a + w mod (b - a), as in the
// evaluator, bit for bit if log and cosine agree. The custom call has a side
// effect: each run of it takes the device's next 64 random bits
// (DeviceContext::NextRandomBits); backends implement it. They also implement
// rng-get-and-update-state.
#ifndef XLA_HLO_TRANSFORMS_RANDOM_RNG_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_RANDOM_RNG_EXPANDER_H_

#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

inline constexpr absl::string_view kRandomKeyTarget = "__tessera_random_key";

class RngExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "rng-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_RANDOM_RNG_EXPANDER_H_
