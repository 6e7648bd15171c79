// The counter-based generators as element-wise HLO: each element of a result is
// a function of a counter and a key, so loops over it vectorize.
#ifndef XLA_HLO_TRANSFORMS_RANDOM_RANDOM_BITS_H_
#define XLA_HLO_TRANSFORMS_RANDOM_RANDOM_BITS_H_

#include <array>

#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// Returns the 32-bit words of Philox4x32-10, least significant first, for each
// of the 128-bit counters of u64 halves `low` and `high`; all of the same
// dimensions, `key` a u64 scalar. Source: Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3" (SC11).
std::array<HloInstruction*, 4> EmitPhilox(HloBuilder& emit, HloInstruction* low,
                                          HloInstruction* high,
                                          HloInstruction* key);

// Returns the 32-bit words of Threefry2x32-20 for each u64 counter. Source: as
// above.
std::array<HloInstruction*, 2> EmitThreeFry(HloBuilder& emit,
                                            HloInstruction* counter,
                                            HloInstruction* key);

// Joins two u32 arrays to u64.
HloInstruction* JoinWords(HloBuilder& emit, HloInstruction* low,
                          HloInstruction* high);

// Returns u64[n]: each element joins two words of Philox. A count, starting at
// the u64 scalars `low` and `high`, gives two elements.
HloInstruction* EmitPhiloxWords64(HloBuilder& emit, int64_t n,
                                  HloInstruction* low, HloInstruction* high,
                                  HloInstruction* key);
// Returns u32[n]: each count gives four elements.
HloInstruction* EmitPhiloxWords32(HloBuilder& emit, int64_t n,
                                  HloInstruction* low, HloInstruction* high,
                                  HloInstruction* key);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_RANDOM_RANDOM_BITS_H_
