// Several ops that read one value, some at its own indices, some at others.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_READERS_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_READERS_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddReaders(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_READERS_H_
