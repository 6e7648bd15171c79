// FindNativeDifference: where native code and the evaluator part.
#ifndef XLA_TOOLS_DEBUGGING_NATIVE_DIFFERENCE_H_
#define XLA_TOOLS_DEBUGGING_NATIVE_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/debugging/backend_comparison.h"
#include "xla/tools/debugging/computation_runs.h"

namespace xla::tools {

struct NativeDifference {
  struct Level {
    RunRole role;
    const HloInstruction* caller = nullptr;
  };
  // From the entry to `computation`, which is the entry if there are none.
  std::vector<Level> levels;
  const HloComputation* computation = nullptr;
  // What the evaluator's `computation` got.
  std::vector<Literal> arguments;
  // The first one that as a program of its own differs, on the evaluator's
  // operands; null if none does.
  const HloInstruction* instruction = nullptr;
  std::string difference;
};

// Compiles single instructions of the entry with options.backend, first those
// that run computations, and compares their results with the evaluator's. Where
// a while, conditional, call or fusion differs, compiles what it runs and
// compares each run, with the evaluator's state, until one differs, and goes on
// in that computation. At each level compiles the instructions that run
// computations, what one of them runs, and on the last one the first
// kMostInstructions others; and runs a loop of n iterations once more on both.
// Compiles native code in this process. Errors: NotFound if neither an
// instruction nor a run differs.
absl::StatusOr<NativeDifference> FindNativeDifference(
    const HloModule& module, absl::Span<const Literal> arguments,
    const ComparisonOptions& options);

// The instructions of a computation that are compiled alone, at most.
inline constexpr int kMostInstructions = 200;

// The lines of a report on it.
std::string DescribeDifference(const NativeDifference& difference);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_NATIVE_DIFFERENCE_H_
