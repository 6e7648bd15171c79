// Conditionals and calls.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_BRANCHES_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_BRANCHES_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Each adds one op, or a few. False: the values that it chose did not fit.
bool AddConditional(ProgramWriter& writer);
bool AddCall(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_BRANCHES_H_
