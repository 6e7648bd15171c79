// EntryValues: what the evaluator computes for the instructions of a program.
#ifndef XLA_TOOLS_REDUCTION_ENTRY_VALUES_H_
#define XLA_TOOLS_REDUCTION_ENTRY_VALUES_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

// Returns the values of the entry's arrays, by the names of their instructions;
// without those that the evaluator does not reach within `seconds` of wall time
// or before an error, and without those that are too large to keep. 0 seconds:
// no limit. With a limit it works in a child process, so this one may have no
// other threads.
absl::flat_hash_map<std::string, Literal> EntryValues(
    const HloModule& module, absl::Span<const Literal> arguments,
    double seconds);

}  // namespace xla::tools

#endif  // XLA_TOOLS_REDUCTION_ENTRY_VALUES_H_
