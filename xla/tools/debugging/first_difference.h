// FindFirstDifference: where the values of two versions of a program part.
#ifndef XLA_TOOLS_DEBUGGING_FIRST_DIFFERENCE_H_
#define XLA_TOOLS_DEBUGGING_FIRST_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/debugging/backend_comparison.h"
#include "xla/tools/debugging/computation_runs.h"

namespace xla::tools {

// Instructions of the two versions that have different values.
struct FirstDifference {
  // A computation that both versions run, and what runs it.
  struct Level {
    RunRole role;
    const HloInstruction* before = nullptr;
    const HloInstruction* after = nullptr;
  };
  // From the entry to the computation of the instructions; empty if they are
  // in the entry.
  std::vector<Level> levels;
  // What both versions of that computation got.
  std::vector<Literal> arguments;
  // Have the same name and shape, and all those of `after` before it agree. Or,
  // if no instruction has that, the roots.
  const HloInstruction* before = nullptr;
  const HloInstruction* after = nullptr;
  std::string difference;
  // What `after` depends on that `before` does not have: what a pass put in the
  // place of other instructions. Operands come before users.
  std::vector<const HloInstruction*> new_instructions;
  // Why the search ended at an instruction that runs computations; empty if it
  // did not, or if the difference is in `new_instructions`.
  std::string note;
};

// Evaluates both with the same arguments, and compares the values of the
// entries by name. Where those of a while, conditional, call or fusion are the
// first to differ, goes on in what it runs: with the state of the evaluator of
// `before` for both, in the first iteration in which the results differ. Each
// level runs a loop of n iterations once more in both versions, and
// compares n states. At most `max_levels` levels. Errors: NotFound if all
// values agree that can be compared.
absl::StatusOr<FirstDifference> FindFirstDifference(
    const HloModule& before, const HloModule& after,
    absl::Span<const Literal> arguments, const ComparisonOptions& options,
    int max_levels = 100);

// The lines of a report on it.
std::string DescribeDifference(const FirstDifference& difference);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_FIRST_DIFFERENCE_H_
