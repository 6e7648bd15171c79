// Orders moves that happen at once, such as those of a loop's carries.
#ifndef XLA_HLO_ANALYSIS_PARALLEL_MOVES_H_
#define XLA_HLO_ANALYSIS_PARALLEL_MOVES_H_

#include <vector>

#include "absl/types/span.h"

namespace xla {

struct MoveOrder {
  std::vector<int> order;  // a permutation of the moves
  // Moves whose source must be saved before the first move, each the one
  // reader of a place in a cycle.
  std::vector<int> saved;
};

// Move m writes place m and reads place reads[m], or no such place if that is
// negative or m. In the order every place is read before it is written, after
// those in `saved` were read. Stable; linear except for a logarithm.
MoveOrder OrderMoves(absl::Span<const int> reads);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_PARALLEL_MOVES_H_
