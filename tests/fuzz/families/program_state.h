// The state of loops and the operands of computations: lists of values, their
// invariants over all iterations of a loop, and possible next values.
#ifndef TESTS_FUZZ_FAMILIES_PROGRAM_STATE_H_
#define TESTS_FUZZ_FAMILIES_PROGRAM_STATE_H_

#include <cstdint>
#include <vector>

#include "tests/fuzz/program_writer.h"

namespace xla::fuzz {

// At most `count` values; some may occur more than once.
std::vector<Value> SomeValues(ProgramWriter& w, int64_t count);

Shape TupleShape(const std::vector<Value>& values);
XlaOp TupleOf(XlaBuilder* builder, const std::vector<Value>& values);

// What is known of a part of the state before and after each iteration.
Knowledge Invariant(const Value& value);

// Another array for which the Invariant of `value` also holds.
XlaOp Changed(ProgramWriter& w, const Value& value);

// A value that may follow `state`, whose knowledge is an Invariant, after
// iteration number `counter`: a value of the body, a part of one written into
// the old array, or the old array, changed or not.
XlaOp NextState(ProgramWriter& body, const Value& state, XlaOp counter);

// The most iterations of a loop at this depth, 2^n - 1.
int64_t MostTrips(const ProgramWriter& w);
// S32: a number of iterations up to `most`, which is 2^n - 1; more often data
// in programs of control flow.
Value TripCount(ProgramWriter& w, int64_t most);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_FAMILIES_PROGRAM_STATE_H_
