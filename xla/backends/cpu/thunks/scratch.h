// PlaceScratch: where in the memory of a run the scratch of thunks lies.
#ifndef XLA_BACKENDS_CPU_THUNKS_SCRATCH_H_
#define XLA_BACKENDS_CPU_THUNKS_SCRATCH_H_

#include <cstdint>

#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// Places the scratch that each thunk needs with a runner of this many threads
// behind the temporaries that are live while it runs, and what thunks keep
// behind all scratch. Temporaries are the first
// `temporary_bytes` bytes of a run's memory. Returns the total bytes of that
// memory.
int64_t PlaceScratch(const ThunkSequence& thunks, int num_threads,
                     int64_t temporary_bytes);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_SCRATCH_H_
