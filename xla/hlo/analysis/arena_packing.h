// Places blocks in one arena, so that blocks needed at the same time do not
// overlap.
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
  // The most bytes that are needed at one time, with each block rounded up to
  // the alignment: no packing is smaller.
  int64_t lower_bound = 0;
};

// Packs by best fit in several orders and returns the smallest result: by time,
// large blocks first, and, if there are few blocks, some more; each order is
// tried again with the blocks at the end of the arena first. Takes O(n log n),
// and for all but the first order additional time for each pair of blocks that
// are needed together, within a bound. Deterministic. Errors: ResourceExhausted
// if the sum of bytes overflows.
absl::StatusOr<ArenaPacking> PackArena(absl::Span<const ArenaBlock> blocks,
                                       int64_t alignment);

// Returns the offsets of the blocks that fit into memory of `bytes` bytes,
// taking large ones first, and -1 for the others. Time and determinism are
// those of one order of PackArena. `pairs` counts the pairs of blocks compared
// by all calls that share it, from 0; after too many the remaining blocks are
// left out.
std::vector<int64_t> PackWithin(absl::Span<const ArenaBlock> blocks,
                                int64_t bytes, int64_t alignment,
                                int64_t* pairs);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_ARENA_PACKING_H_
