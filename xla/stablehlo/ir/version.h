// The range of StableHLO op set versions that can be read.
#ifndef XLA_STABLEHLO_IR_VERSION_H_
#define XLA_STABLEHLO_IR_VERSION_H_

#include <cstdint>

namespace xla::stablehlo {

struct Version {
  int64_t major;
  int64_t minor;
  int64_t patch;
};

// Artifacts of later versions are refused; PJRT plugins advertise this one.
inline constexpr Version kCurrentVersion = {1, 17, 0};
inline constexpr Version kMinimumVersion = {0, 9, 0};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_IR_VERSION_H_
