// VerifyBufferAssignment: an independent check of a buffer assignment, for
// tests and debug builds.
#ifndef XLA_HLO_ANALYSIS_BUFFER_VERIFIER_H_
#define XLA_HLO_ANALYSIS_BUFFER_VERIFIER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct BufferVerifierOptions {
  int runs = 6;                  // with other trip counts and branches each
  int64_t most_steps = 1000000;  // of one run; loops end when they are spent
};

// Runs the module on names of values instead of numbers: each step gives its
// results new names and writes them where the assignment says; each read must
// find the name that the program, without any memory, has there. What
// arena_free_from says is free is overwritten. Loops run zero
// to three times, branches are picked, by a fixed sequence; donated parameters
// are once in the outputs' memory and once apart. Also checks bounds,
// alignment, that results overlap operands only as in_place.h allows, and that
// parameters and constants are not written. Errors: Internal naming the step.
absl::Status VerifyBufferAssignment(const HloModule& module,
                                    const BufferAssignment& assignment,
                                    const BufferVerifierOptions& options = {});

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_BUFFER_VERIFIER_H_
