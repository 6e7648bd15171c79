// Element-wise ops: arithmetic, functions, comparisons, selection, conversions.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_ELEMENTWISE_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_ELEMENTWISE_H_

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// Adds one op, or a few. Returns false if the chosen values did not fit.
bool AddElementwise(ProgramWriter& writer);
// The same for an op whose first operand is `a`.
bool AddElementwiseOf(ProgramWriter& writer, const Value& a);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_ELEMENTWISE_H_
