// Random shardings of random programs.
#ifndef TESTS_FUZZ_PROGRAM_SHARDING_H_
#define TESTS_FUZZ_PROGRAM_SHARDING_H_

#include <cstdint>

#include "tests/fuzz/program_generator.h"

namespace xla::fuzz {

// Makes the program one of 2 to 8 partitions and gives some parameters and
// instructions shardings over a random mesh; half of the programs run
// collectives beside other work. The same for the same seed.
void AddShardings(uint64_t seed, Program& program);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_SHARDING_H_
