// Which memory thunks touch: what may change places, and what sequences keep on
// their stack instead.
#ifndef XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_
#define XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_

#include "absl/types/span.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Whether one of two instructions without computations, fusions apart, writes
// memory that the other reads or writes. Donated parameters count as any
// output.
bool MemoryConflict(const BufferAssignment& assignment, const HloInstruction& x,
                    const HloInstruction& y);

// What a sequence has on its stack: small arrays that nothing outside of it
// uses, and small ones that a loop in it writes. Nothing for other kernels.
// `thunks` are those of the plan.
LocalBuffers LocalBuffersOf(const BufferAssignment& assignment,
                            absl::Span<const PlannedThunk> thunks,
                            const KernelRequest& request);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_
