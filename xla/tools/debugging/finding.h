// Finding: what a search in a child process found.
#ifndef XLA_TOOLS_DEBUGGING_FINDING_H_
#define XLA_TOOLS_DEBUGGING_FINDING_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"

namespace xla::tools {

struct Finding {
  std::string report;              // lines for the user
  std::string computation;         // that the search ended in
  std::vector<Literal> arguments;  // what it got
};

// Calls `search` in a child process. Errors: those of `search`, by their
// message; DeadlineExceeded after `seconds` (0: no limit); Internal after a
// crash.
absl::StatusOr<Finding> FindInChild(
    absl::FunctionRef<absl::StatusOr<Finding>()> search, double seconds);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_FINDING_H_
