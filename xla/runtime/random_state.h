// The random state of a device during a run. The evaluator and compiled code
// have the same.
#ifndef XLA_RUNTIME_RANDOM_STATE_H_
#define XLA_RUNTIME_RANDOM_STATE_H_

#include <cstdint>

#include "absl/numeric/int128.h"

namespace xla {
namespace random_state_internal {

// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
// number generators, 2014): spreads a counter over all bits.
constexpr uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
// SplitMix64's increment, 2^64 divided by the golden ratio.
inline constexpr uint64_t kMixStep = 0x9e3779b97f4a7c15;

}  // namespace random_state_internal

// Returns the first state that rng-get-and-update-state returns on a device.
inline absl::uint128 InitialRngState(uint64_t seed, int64_t device) {
  using random_state_internal::Mix;
  return absl::MakeUint128(Mix(seed + random_state_internal::kMixStep),
                           Mix(seed + device));
}

// Return the initial counter of the random bits of rng on a device of a run,
// and the next 64 bits.
inline uint64_t InitialRandomCounter(uint64_t seed, int64_t device) {
  return random_state_internal::Mix((seed + device) ^
                                    random_state_internal::kMixStep);
}
inline uint64_t NextRandomBits(uint64_t& counter) {
  return random_state_internal::Mix(counter += random_state_internal::kMixStep);
}

}  // namespace xla

#endif  // XLA_RUNTIME_RANDOM_STATE_H_
