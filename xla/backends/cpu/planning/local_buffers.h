// Decides which thunks conflict in memory, and which arrays sequences keep on
// their stack.
#ifndef XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_
#define XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_

#include "absl/types/span.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/buffer_use.h"

namespace xla::cpu {

// Whether one of two thunks writes memory that the other reads or writes. An
// output that may be the memory of a parameter counts as that of each.
bool Conflict(const BufferAssignment& assignment, const BufferUses& x,
              const BufferUses& y);
// The same for two instructions that are fusions or call no computations.
bool MemoryConflict(const BufferAssignment& assignment, const HloInstruction& x,
                    const HloInstruction& y);

// Returns what a kernel may read and write, each slice once: everything that
// its instructions and the computations they call use, on any path; of the
// arrays on its stack, only those that it loads or stores.
BufferUses KernelUses(const BufferAssignment& assignment,
                      const KernelSpec& kernel);

// Returns the arrays on the stack of a sequence: small ones that nothing else
// uses, and small ones that a loop in it writes. Empty for other kernels.
// `thunks` are those of the plan.
LocalBuffers LocalBuffersOf(const BufferAssignment& assignment,
                            absl::Span<const PlannedThunk> thunks,
                            const KernelRequest& request);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_
