// FindFirstDifference: where the values of two versions of a program part.
#ifndef XLA_TOOLS_DEBUGGING_FIRST_DIFFERENCE_H_
#define XLA_TOOLS_DEBUGGING_FIRST_DIFFERENCE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/debugging/backend_comparison.h"

namespace xla::tools {

// Instructions of the two entries that have the same name and shape, and
// different values. All those of `after` before it agree.
struct FirstDifference {
  const HloInstruction* before = nullptr;
  const HloInstruction* after = nullptr;
  std::string difference;
  // What `after` depends on that `before` does not have: what a pass put in the
  // place of other instructions. Operands come before users.
  std::vector<const HloInstruction*> new_instructions;
};

// Evaluates both with the same arguments, and compares the arrays of the
// entries by name. Nullopt if all agree that have a name in both.
std::optional<FirstDifference> FindFirstDifference(
    const HloModule& before, const HloModule& after,
    absl::Span<const Literal> arguments, const ComparisonOptions& options);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_FIRST_DIFFERENCE_H_
