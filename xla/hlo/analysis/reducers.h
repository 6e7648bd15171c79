// What can be told about reducers from their code.
#ifndef XLA_HLO_ANALYSIS_REDUCERS_H_
#define XLA_HLO_ANALYSIS_REDUCERS_H_

#include <optional>

#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

// Whether the elements of a reduction may be combined in any grouping, as far
// as the form of the reducer tells: each result is one of add, multiply,
// maximum, minimum, and, or, xor of its two parameters, or made of comparisons
// and selections alone, which choose one of the sides (argmax).
bool MayRegroup(const HloComputation& reducer);

// The op, if the reducer is one of add, multiply, maximum, minimum, and, or,
// xor of its two parameters, all of one element type.
std::optional<HloOpcode> OneOpOf(const HloComputation& reducer);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_REDUCERS_H_
