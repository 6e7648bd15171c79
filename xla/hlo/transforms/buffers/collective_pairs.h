// The asynchronous form of collectives between processes:
//
//   g = all-gather(w)   =>   s = async-start(w), calls={all-gather}
//                            g = async-done(s)
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_COLLECTIVE_PAIRS_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_COLLECTIVE_PAIRS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Whether devices of several processes are in a group of a collective that a
// pair can be made of. Devices are processes of their own if the configuration
// does not say which they belong to.
bool SpansProcesses(const HloInstruction& hlo);

// Replaces a collective by a start and a done; returns the start.
absl::StatusOr<HloInstruction*> MakeCollectivePair(HloInstruction* hlo);

// Replaces a pair by its collective, and returns that.
absl::StatusOr<HloInstruction*> UndoCollectivePair(HloInstruction* start);

// Gives each collective between processes in `computations`, of one module, a
// channel of its own if it shares one. What has one channel meets in one place,
// where a device must not be for the next operation before all are there for
// the last. Returns whether it changed any.
bool SeparateChannels(absl::Span<HloComputation* const> computations);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_COLLECTIVE_PAIRS_H_
