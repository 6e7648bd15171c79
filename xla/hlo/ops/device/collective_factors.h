// How dimensions hang together in ops between devices.
#ifndef XLA_HLO_OPS_DEVICE_COLLECTIVE_FACTORS_H_
#define XLA_HLO_OPS_DEVICE_COLLECTIVE_FACTORS_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "xla/hlo/ops/dimension_factors.h"

namespace xla {

// Each operand's dimensions are those of its result, apart from those in
// `exchanged`, along which devices exchange or join parts: they are whole.
// Nullopt where operands are no arrays or more than the results.
std::optional<DimensionFactors> CollectiveFactors(
    const FactorArgs& args, absl::Span<const int64_t> exchanged);
template <typename A>
std::optional<DimensionFactors> FactorsOfCollective(const FactorArgs& args,
                                                    const A& attrs) {
  if constexpr (requires { attrs.dimensions; }) {
    return CollectiveFactors(args, attrs.dimensions);
  } else {
    return CollectiveFactors(args, {});
  }
}

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_COLLECTIVE_FACTORS_H_
