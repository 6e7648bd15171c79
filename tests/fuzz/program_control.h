// Loops, conditionals and calls, with random computations inside.
#ifndef TESTS_FUZZ_PROGRAM_CONTROL_H_
#define TESTS_FUZZ_PROGRAM_CONTROL_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. False: the values that it chose did not fit.
bool AddControl(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_CONTROL_H_
