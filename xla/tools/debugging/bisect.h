// tessera opt --bisect: where a program and the evaluator part.
#ifndef XLA_TOOLS_DEBUGGING_BISECT_H_
#define XLA_TOOLS_DEBUGGING_BISECT_H_

#include <string>

#include "absl/status/status.h"
#include "xla/tools/debugging/comparison_flags.h"

namespace xla::tools {

struct BisectFlags {
  std::string program = "-";
  // Names of passes, separated by commas; empty: those of the CPU's compiler,
  // whose native code is then compared, too.
  std::string passes;
  // Where the smallest program that shows the failure goes, its arguments
  // beside it; "-": it is part of the report.
  std::string output = "-";
  ComparisonFlags comparison;
};

// Prints on standard output which pass, and which instruction, changes what the
// program computes, or which native code does; and a small program on which
// that is so. Returns OK if nothing does; FailedPrecondition, in one line, if
// something does. Errors: those of reading the program and its arguments.
absl::Status Bisect(const BisectFlags& flags);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_BISECT_H_
