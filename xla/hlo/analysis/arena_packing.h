// Places of blocks in one piece of memory, so that blocks needed at the same
// time do not overlap.
#ifndef XLA_HLO_ANALYSIS_ARENA_PACKING_H_
#define XLA_HLO_ANALYSIS_ARENA_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace xla {

struct ArenaBlock {
  int64_t begin;  // needed from here
  int64_t end;    // to before here
  int64_t bytes;
};

struct ArenaPacking {
  std::vector<int64_t> offsets;  // by block, multiples of the alignment
  int64_t bytes = 0;             // of the whole
  // The most that is needed at one time, each block rounded up to the
  // alignment: no packing is smaller.
  int64_t lower_bound = 0;
};

// Best fit in several orders: as time goes by, large blocks first, and for
// fewer blocks some more, each tried again with what ended up last put first;
// the smallest result wins. O(n log n), and for all but the first order as much
// more as pairs of blocks are needed together, within a bound. Deterministic.
// Errors: ResourceExhausted where the sum of bytes overflows.
absl::StatusOr<ArenaPacking> PackArena(absl::Span<const ArenaBlock> blocks,
                                       int64_t alignment);

// Offsets of those blocks that fit into a piece of `bytes` bytes, large ones
// first, and -1 of the others. Time and determinism as for an order of
// PackArena. `pairs` counts the pairs of blocks looked at by all calls that
// share it, from 0; after too many the rest is left out.
std::vector<int64_t> PackWithin(absl::Span<const ArenaBlock> blocks,
                                int64_t bytes, int64_t alignment,
                                int64_t* pairs);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_ARENA_PACKING_H_
