// Explains errors of programs that do not fit into memory.
#ifndef XLA_PJRT_RUN_OUT_OF_MEMORY_H_
#define XLA_PJRT_RUN_OUT_OF_MEMORY_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Adds the program's name and its largest arrays with their sizes in bytes to
// an error about memory, which says how many bytes were requested and what the
// limit is. Other statuses, and errors that have this text already, stay as
// they are.
absl::Status ExplainOutOfMemory(const absl::Status& status,
                                const HloModule& module);

}  // namespace xla

#endif  // XLA_PJRT_RUN_OUT_OF_MEMORY_H_
