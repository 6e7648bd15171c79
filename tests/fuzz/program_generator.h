// Random programs, well typed and made so that two right executions of one
// agree within bounds that are known.
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

// The same program for the same seed. Errors are mistakes of the generator.
absl::StatusOr<Program> MakeProgram(uint64_t seed);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_GENERATOR_H_
