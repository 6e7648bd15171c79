// Ops that move elements by their attributes: reshapes, slices, pads.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_MOVEMENT_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_MOVEMENT_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddMovement(ProgramWriter& writer);
// The same for an op whose first operand is `a`.
bool AddMovementOf(ProgramWriter& writer, const Value& a);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_MOVEMENT_H_
