// Loops that carry a few arrays or hundreds.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_LOOPS_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_LOOPS_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddLoop(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_LOOPS_H_
