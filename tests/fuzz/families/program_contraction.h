// Dots and convolutions.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_CONTRACTION_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_CONTRACTION_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddContraction(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_CONTRACTION_H_
