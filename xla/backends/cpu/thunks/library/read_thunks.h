// ReadThunks: makes the thunks of a program that was compiled ahead of time.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_READ_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_READ_THUNKS_H_

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"

namespace xla::cpu {

// Reads what ThunkWriter::WriteSequence wrote. Errors: InvalidArgument if that
// did not write these bytes; those that thunks report when they are made.
absl::StatusOr<ThunkSequence> ReadThunks(ThunkReader& reader);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_READ_THUNKS_H_
