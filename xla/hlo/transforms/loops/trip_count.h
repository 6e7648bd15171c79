// The trip count of a while loop, if it follows from its computations.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_TRIP_COUNT_H_
#define XLA_HLO_TRANSFORMS_LOOPS_TRIP_COUNT_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A counter among the elements of the carry.
struct CountedLoop {
  int64_t tuple_index = 0;
  int64_t init = 0;
  int64_t step = 0;
  int64_t trip_count = 0;
};

// Returns the counter that the condition compares with a constant, if it starts
// at a constant and the body adds a constant to it; constants may also be
// elements of the carry that never change. Returns nullopt otherwise, and if
// the counter would wrap around.
std::optional<CountedLoop> FindCountedLoop(const HloInstruction& loop);

// An integer element of the carry that starts at a constant and grows by one in
// each iteration.
struct LoopCounter {
  int64_t init = 0;
  int64_t step = 0;
};
// Describes element `i`; nullopt if it is none, or too large for int64_t.
std::optional<LoopCounter> FindCounter(const HloInstruction& loop, int64_t i);

// The values of an index over the iterations: `first`, then in steps of `step`.
struct IndexSequence {
  int64_t first = 0;
  int64_t step = 0;
};
// Handles i, i + c, c + i, c - i and i - c, in the body, for the counter i and
// constants c. Returns nullopt for other instructions, if the index would wrap
// around in its type, and for numbers beyond 2^40.
std::optional<IndexSequence> SequenceOf(const CountedLoop& counted,
                                        const HloInstruction* hlo);

// Returns element `i` of the loop's initial carry, or null.
const HloInstruction* InitialElement(const HloInstruction& loop, int64_t i);
// Returns whether the body returns element `i` of its argument unchanged.
bool IsInvariant(const HloInstruction& loop, int64_t i);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_TRIP_COUNT_H_
