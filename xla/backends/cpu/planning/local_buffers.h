// Which memory thunks touch: what may change places, and what sequences keep on
// their stack instead.
#ifndef XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_
#define XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_

#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/buffer_use.h"

namespace xla::cpu {

// Whether one of two thunks writes memory that the other reads or writes. An
// output that may be the memory of a parameter counts as that of each.
bool Conflict(const BufferAssignment& assignment, const BufferUses& x,
              const BufferUses& y);
// The same of two instructions without computations, fusions apart.
bool MemoryConflict(const BufferAssignment& assignment, const HloInstruction& x,
                    const HloInstruction& y);

// What a kernel may read and write, each slice once: all that its instructions
// and what they call have to do with, whichever way control goes, but of the
// arrays on its stack only those that it loads and stores.
BufferUses KernelUses(const BufferAssignment& assignment,
                      const KernelSpec& kernel);

// Fills in KernelSpec::local_buffers: small arrays that nothing outside of a
// sequence uses, and small ones that a loop in it writes.
void ChooseLocalBuffers(const BufferAssignment& assignment, ThunkPlan& plan);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_LOCAL_BUFFERS_H_
