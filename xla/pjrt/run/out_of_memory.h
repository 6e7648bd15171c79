// What a program that does not fit into memory is told.
#ifndef XLA_PJRT_RUN_OUT_OF_MEMORY_H_
#define XLA_PJRT_RUN_OUT_OF_MEMORY_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Adds to an error about memory, which says how many bytes were asked for and
// what the limit is, the program's name and its largest arrays, with their
// bytes. Other statuses, and errors that say so already, stay as they are.
absl::Status ExplainOutOfMemory(const absl::Status& status,
                                const HloModule& module);

}  // namespace xla

#endif  // XLA_PJRT_RUN_OUT_OF_MEMORY_H_
