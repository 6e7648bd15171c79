// Random modules full of control flow, updates in place and donation.
#ifndef TESTS_HLO_ANALYSIS_RANDOM_MODULES_H_
#define TESTS_HLO_ANALYSIS_RANDOM_MODULES_H_

#include <cstdint>
#include <string>

namespace xla {

// Returns HLO text, always the same for a seed.
std::string RandomModule(uint64_t seed);

// Returns one computation of `instructions` instructions, with loops in
// between, for measurements.
std::string LargeModule(int instructions);

}  // namespace xla

#endif  // TESTS_HLO_ANALYSIS_RANDOM_MODULES_H_
