// What the tools that run random programs share: runs of many seeds, of which
// some may crash or hang, and files of programs that fail.
#ifndef TESTS_FUZZ_SEED_RUNS_H_
#define TESTS_FUZZ_SEED_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::fuzz {

// Returns zeros that this process and those that RunSeeds starts share; they
// are never freed.
void* SharedZeros(size_t bytes);

// Calls `run` with the seeds first to first + count - 1, in processes of their
// own, since it may crash or take longer than a minute: it returns what failed,
// or nothing. Failures, "crashed: ..." and "hangs" among them, go to `report`.
// Returns how many there were.
uint64_t RunSeeds(
    uint64_t first, uint64_t count,
    absl::FunctionRef<std::string(uint64_t seed)> run,
    absl::FunctionRef<void(uint64_t seed, const std::string& failure)> report);

// Writes `path`.hlo, and `path`.npz with the arguments as arg0, arg1, ...
absl::Status SaveProgram(const HloModule& module,
                         const std::vector<Literal>& arguments,
                         const std::string& path);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_SEED_RUNS_H_
