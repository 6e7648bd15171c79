// PeakTempBytes: the peak memory of the values between a module's parameters
// and its result.
#ifndef XLA_HLO_ANALYSIS_PEAK_MEMORY_H_
#define XLA_HLO_ANALYSIS_PEAK_MEMORY_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Returns the most bytes of arrays that are alive at once if instructions run
// in post order, each value is freed after its last use, tuples and aliases of
// parts take nothing, and a call needs the most memory that any computation it
// calls needs. Parameters, constants and the result of the entry do not count.
// Sums saturate at the largest int64.
int64_t PeakTempBytes(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_PEAK_MEMORY_H_
