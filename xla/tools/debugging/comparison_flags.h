// Flags of commands that compare a program with the evaluator.
#ifndef XLA_TOOLS_DEBUGGING_COMPARISON_FLAGS_H_
#define XLA_TOOLS_DEBUGGING_COMPARISON_FLAGS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/debugging/backend_comparison.h"
#include "xla/tools/reduction/reducer.h"

namespace xla::tools {

struct ComparisonFlags {
  std::string inputs;
  std::optional<double> atol;
  std::optional<double> rtol;
  uint64_t seed = 0;
  double time_limit_s = 60;
  int64_t max_tests = 0;  // of a reduction
};

// Adds the flags; `max_tests` is the default of --max-tests.
void AddComparisonFlags(CLI::App& command, int64_t max_tests,
                        ComparisonFlags* flags);

// If only one of the two error bounds is given, the other one is 0.
ComparisonOptions OptionsOf(const ComparisonFlags& flags);

// Reads and verifies the program, with the debug options of XLA_FLAGS; a
// program from between passes will do.
absl::StatusOr<std::unique_ptr<HloModule>> ReadProgramToDebug(
    const std::string& path);

// Returns the arguments of the entry, those of --inputs or random ones. Errors:
// InvalidArgument for a program of several devices.
absl::StatusOr<std::vector<Literal>> ArgumentsOf(const ComparisonFlags& flags,
                                                 const HloModule& module);

// Returns options that print progress on standard error if that is a terminal.
ReductionOptions ReductionOptionsOf(const ComparisonFlags& flags);

// Returns "dir/small.npz" for "dir/small.hlo".
std::string ArgumentsPath(const std::string& program_path);

// Writes the module as HLO text, and the arguments, if there are any, beside
// it. Errors: those of the file system.
absl::Status SaveProgram(const ReducibleProgram& program,
                         const std::string& path);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_COMPARISON_FLAGS_H_
