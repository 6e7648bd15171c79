// Ops that move elements by indices: dynamic slices, gather, scatter.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_INDEXING_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_INDEXING_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddIndexing(ProgramWriter& writer);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_INDEXING_H_
