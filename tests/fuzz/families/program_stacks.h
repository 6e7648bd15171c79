// Loops that save the values that they carry in stacks, and loops that read
// them.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_STACKS_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_STACKS_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddStackedLoops(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_STACKS_H_
