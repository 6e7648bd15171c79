// Runs a program on the evaluator and on the CPU backend and compares; makes a
// program that fails smaller.
#ifndef TESTS_FUZZ_PROGRAM_CHECK_H_
#define TESTS_FUZZ_PROGRAM_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "tests/fuzz/program_generator.h"

namespace xla::fuzz {

// Empty if both agree; else "differs: ...", "refused: ..." or, for what the
// evaluator does not run, "generator: ...". Arguments whose memory a result is
// to live in are donated.
std::string Check(const Program& program);

// The same, or "crashed: ..." or "hangs", of Check in a process of its own.
std::string CheckApart(const Program& program);

// `program`, for which CheckApart gave `failure`, with one result and as few
// instructions as still fail alike; others are replaced by arguments.
Program Minimize(Program program, const std::string& failure);

// Writes `path`.hlo, and `path`.npz with the arguments as arg0, arg1, ...
absl::Status Save(const Program& program, const std::string& path);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_CHECK_H_
