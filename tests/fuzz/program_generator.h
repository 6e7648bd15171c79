// Random programs, well typed, whose correct executions agree within known
// bounds.
#ifndef TESTS_FUZZ_PROGRAM_GENERATOR_H_
#define TESTS_FUZZ_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/fuzz/program_values.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::fuzz {

struct Program {
  std::unique_ptr<HloModule> module;
  std::vector<Literal> arguments;
  std::vector<Knowledge> results;  // of each leaf of the result
};

// Makes the same program for the same seed. An error is a bug in the generator.
absl::StatusOr<Program> MakeProgram(uint64_t seed);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_GENERATOR_H_
