// Compares, byte by byte, what a thunk declares to read and write
// (Thunk::buffer_uses) with what it must.
#ifndef XLA_BACKENDS_CPU_CHECKING_BUFFER_USE_CHECK_H_
#define XLA_BACKENDS_CPU_CHECKING_BUFFER_USE_CHECK_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/runtime/buffer_use.h"

namespace xla::cpu {

// Returns a use in `uses` some bytes of which no use of the same kind in
// `others` covers; nullopt if there is none. How bytes are divided into slices
// does not matter.
std::optional<BufferUse> FirstUncovered(const BufferUses& uses,
                                        const BufferUses& others);

// Checks that `thunk` stays inside of the allocations and writes no parameter
// or constant, and that its scratch overlaps nothing that it uses. Errors:
// Internal naming the thunk.
absl::Status CheckPlacement(const Thunk& thunk,
                            const BufferAssignment& assignment);

// "writes bytes [64, 128) of allocation 3"
std::string DescribeUse(const BufferUse& use);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_BUFFER_USE_CHECK_H_
