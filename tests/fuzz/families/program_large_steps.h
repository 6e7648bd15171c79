// What is a step of its own in a plan: library calls and large kernels.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_LARGE_STEPS_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_LARGE_STEPS_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. False: the values that it chose did not fit.
bool AddLargeStep(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_LARGE_STEPS_H_
