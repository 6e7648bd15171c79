// Replaces rng-bit-generator by integer ops on counters:
//
//   g = (u64[2], u32[8]) rng-bit-generator(s), algorithm=rng_three_fry
//     =>  count = u64[4] iota();  words of Threefry(s[1] + count, s[0])
//         g = tuple((s[0], s[1] + 4), their concatenation)
//
// The bits are those of the op's definition, element for element. The default
// algorithm is Philox. Errors: InvalidArgument for states that the algorithm
// does not have; Unimplemented for elements of 6 and 128 bits.
#ifndef XLA_HLO_TRANSFORMS_RANDOM_RNG_BIT_GENERATOR_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_RANDOM_RNG_BIT_GENERATOR_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class RngBitGeneratorExpander : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "rng-bit-generator-expander";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_RANDOM_RNG_BIT_GENERATOR_EXPANDER_H_
