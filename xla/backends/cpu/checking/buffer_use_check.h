// What a thunk declares to read and write (Thunk::buffer_uses) against what it
// has to, byte by byte.
#ifndef XLA_BACKENDS_CPU_CHECKING_BUFFER_USE_CHECK_H_
#define XLA_BACKENDS_CPU_CHECKING_BUFFER_USE_CHECK_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/runtime/buffer_use.h"

namespace xla::cpu {

// A use in `uses` of which some bytes are in no use of the same kind of
// `others`; nullopt if there is none. How bytes are divided into slices does
// not matter.
std::optional<BufferUse> FirstUncovered(const BufferUses& uses,
                                        const BufferUses& others);

// `thunk` stays inside of the allocations, writes no parameter and no constant,
// and its scratch lies over nothing that it uses. Errors: Internal naming the
// thunk.
absl::Status CheckPlacement(const Thunk& thunk,
                            const BufferAssignment& assignment);

// "writes bytes [64, 128) of allocation 3"
std::string DescribeUse(const BufferUse& use);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_BUFFER_USE_CHECK_H_
