// Runs a program on the evaluator and on the CPU backend and compares the
// results; minimizes failing programs.
#ifndef TESTS_FUZZ_PROGRAM_CHECK_H_
#define TESTS_FUZZ_PROGRAM_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>

#include "tests/fuzz/program_generator.h"

namespace xla::fuzz {

// Empty if both agree; else "differs: ...", "refused: ..." or, if the evaluator
// cannot run the program, "generator: ...". Donates arguments whose memory a
// result is to take.
std::string Check(const Program& program);

// The same from a process of its own, or "crashed: ..." or "hangs".
std::string CheckApart(const Program& program);

// `program`, for which CheckApart returned `failure`, reduced to one result and
// as few instructions as still fail in the same way; arguments replace the
// others.
Program Minimize(Program program, const std::string& failure);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_CHECK_H_
