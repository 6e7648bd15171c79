// Checks of numbers on the command line. CLI11 lets NaN pass its ranges and
// numbers that are too large for their type become other ones.
#ifndef XLA_TOOLS_NUMBER_FLAGS_H_
#define XLA_TOOLS_NUMBER_FLAGS_H_

#include <cstdint>
#include <limits>

#include "CLI/CLI.hpp"

namespace xla::tools {

// Accepts decimal integers of 64 bits in [least, most].
CLI::Validator IntegerFlag(int64_t least,
                           int64_t most = std::numeric_limits<int64_t>::max());

// Accepts decimal integers that are not negative and have at most 64 bits.
CLI::Validator SeedFlag();

// Accepts numbers in [0, most], but not NaN.
CLI::Validator NumberFlag(double most = std::numeric_limits<double>::max());

// Accepts numbers that are not negative, and infinity.
CLI::Validator ErrorBoundFlag();

}  // namespace xla::tools

#endif  // XLA_TOOLS_NUMBER_FLAGS_H_
