// Ops that become thunks of their own: library calls and large kernels.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_LARGE_THUNKS_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_LARGE_THUNKS_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddLargeThunk(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_LARGE_THUNKS_H_
