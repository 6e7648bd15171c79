// Counter-based generators of random bits: each block of bits is a function of
// only a key and a counter.
#ifndef XLA_HLO_EVALUATOR_RANDOM_BIT_GENERATOR_H_
#define XLA_HLO_EVALUATOR_RANDOM_BIT_GENERATOR_H_

#include <array>
#include <cstdint>

#include "absl/numeric/int128.h"

namespace xla {

// Returns 128 bits, least significant word first, after ten rounds. Source:
// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11),
// Philox4x32-10.
std::array<uint32_t, 4> Philox4x32(absl::uint128 counter, uint64_t key);

// Returns 64 bits, least significant word first, after twenty rounds. Source:
// the same paper, Threefry2x32-20.
std::array<uint32_t, 2> ThreeFry2x32(uint64_t counter, uint64_t key);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_RANDOM_BIT_GENERATOR_H_
