// Conditionals and calls.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_BRANCHES_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_BRANCHES_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Add one op, or a few. Return false if the chosen values did not fit.
bool AddConditional(ProgramWriter& writer);
bool AddCall(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_BRANCHES_H_
