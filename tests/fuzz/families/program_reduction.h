// Reductions, whole or over windows, and sorts.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_REDUCTION_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_REDUCTION_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddReduction(ProgramWriter& writer);
// The same for a reduce of `a`, and for a sort whose first operand is `a`.
bool AddReduce(ProgramWriter& writer, const Value& a);
bool AddSort(ProgramWriter& writer, const Value& a);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_REDUCTION_H_
