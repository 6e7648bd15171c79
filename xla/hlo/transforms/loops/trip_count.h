// How often a while loop runs, where that can be read off its computations.
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

// The counter that the condition compares with a constant, if it starts at a
// constant, and the body adds one to it; constants may also be elements of the
// carry that never change. nullopt otherwise, and where the counter would wrap
// around.
std::optional<CountedLoop> FindCountedLoop(const HloInstruction& loop);

// An element of the carry, of integers, that starts at a constant and grows by
// one each iteration.
struct LoopCounter {
  int64_t init = 0;
  int64_t step = 0;
};
// Of element `i`; nullopt if it is none, or is too large for int64_t.
std::optional<LoopCounter> FindCounter(const HloInstruction& loop, int64_t i);

// The values of an index over the iterations: `first`, and from there by
// `step`.
struct IndexSequence {
  int64_t first = 0;
  int64_t step = 0;
};
// Of i, i + c, c + i, c - i and i - c, in the body, for the counter i and
// constants c; nullopt for others, where it would wrap around in its type, and
// for numbers beyond 2^40.
std::optional<IndexSequence> SequenceOf(const CountedLoop& counted,
                                        const HloInstruction* hlo);

// Element `i` of the carry as the loop gets it, or null.
const HloInstruction* InitialElement(const HloInstruction& loop, int64_t i);
// Whether the body returns element `i` of its argument as it was.
bool IsInvariant(const HloInstruction& loop, int64_t i);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_TRIP_COUNT_H_
