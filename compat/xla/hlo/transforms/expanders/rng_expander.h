// RngExpander.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_RNG_EXPANDER_H_
#define COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_RNG_EXPANDER_H_

#include "xla/hlo/transforms/random/rng_expander.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_RNG_EXPANDER_H_
