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
  // True if the reducer is not one associative and commutative op of its two
  // parameters. Elements are then combined one after the other: f(result,
  // element), as in a window, or f(element, result) if `reverse`, which relies
  // on the reducer being associative.
  bool in_order = false;
};

// Nullopt for other instructions.
std::optional<LinearScan> LinearScanOf(const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_LINEAR_SCAN_H_
