// Random shardings of random programs, and their runs on several devices.
#ifndef TESTS_FUZZ_PROGRAM_SHARDING_H_
#define TESTS_FUZZ_PROGRAM_SHARDING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/fuzz/program_generator.h"
#include "xla/backends/compiler.h"
#include "xla/core/literal/literal.h"

namespace xla::fuzz {

// Makes the program one of 2 to 8 partitions and gives some parameters and
// instructions shardings over a random mesh. The same for the same seed.
void AddShardings(uint64_t seed, Program& program);

// Runs an executable of such a program with the parts of its arguments, and
// returns the whole results. Errors: those of Execute, and DataLoss if devices
// differ in what all of them hold.
absl::StatusOr<std::vector<Literal>> RunSharded(const Executable& executable,
                                                const Program& program);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_SHARDING_H_
