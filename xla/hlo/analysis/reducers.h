// Finds properties of reducers from their instructions.
#ifndef XLA_HLO_ANALYSIS_REDUCERS_H_
#define XLA_HLO_ANALYSIS_REDUCERS_H_

#include <optional>

#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

// Whether the form of the reducer shows that the elements of a reduction may be
// combined in any grouping: each result is an add, multiply, maximum, minimum,
// and, or, xor of its two parameters, or consists only of comparisons and
// selections, which choose one of the sides (argmax).
bool MayRegroup(const HloComputation& reducer);

// Returns the op if the reducer is an add, multiply, maximum, minimum, and, or,
// xor of its two parameters, all of one element type.
std::optional<HloOpcode> OneOpOf(const HloComputation& reducer);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_REDUCERS_H_
