// Reduce-windows that are scans: cumulative sums, products, maxima.
#ifndef XLA_HLO_ANALYSIS_LINEAR_SCAN_H_
#define XLA_HLO_ANALYSIS_LINEAR_SCAN_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Element i along `dimension` of the result combines the initial value with
// elements 0 to i of the operand or, if `reverse`, with i to the last.
struct LinearScan {
  int64_t dimension = 0;
  bool reverse = false;
};

// Nullopt for other instructions, and for reducers that are not one
// associative and commutative op of their two parameters.
std::optional<LinearScan> LinearScanOf(const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_LINEAR_SCAN_H_
