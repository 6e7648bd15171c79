// Library ops: the instructions that become a thunk of their own instead of
// native code, and their thunks.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_OPS_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_OPS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Contractions, with what works on rows between two of them, FFTs, sorts,
// factorisations, calls out of the program, collectives, transfers and what
// asks for the device's own state; the start and done halves of these, too. Ops
// that only name, bundle or order values, and those that call computations
// (while, call, async-start), are not.
bool IsLibraryOp(const HloInstruction& hlo);

// The kernel that a library op calls with arrays of its own choice; at most one
// of the two is there.
struct NativeKernel {
  // The instruction between the dots of an attention fusion. Workgroups are
  // rows; arrays are those of its operands, in order. The result is written
  // over operand number `block`.
  const HloInstruction* rows = nullptr;
  int64_t block = -1;
  // A computation of scalars: the reducer of all-reduce(-start) and
  // reduce-scatter, and a comparator of sort that is no order of keys.
  // Workgroups are elements; arrays are those of its parameters, in order, and
  // of its result, which may lie in the memory of a parameter.
  const HloComputation* mapped = nullptr;
};
NativeKernel NativeKernelOf(const HloInstruction& hlo);

// Whether there is a kernel for a topk: for its type, and rows that are not too
// long.
bool HasTopKKernel(const HloInstruction& topk);

// Null when there is nothing to do at run time. The thunk may refer to the
// instruction, which must outlive it. Operands and results lie where `context`
// says; nothing else is written. Operands and results of one instruction may
// share memory where that holds for their meaning, element by element or as
// output_to_operand_aliasing says: of all-reduce, copies and custom calls; of
// others not. Errors: Unimplemented, which names the instruction, for layouts
// other than row-major (custom calls take any), dynamic dimensions and types
// that a kernel does not have; those of typed custom calls' instantiation;
// Internal for an instruction that is no library op.
absl::StatusOr<std::unique_ptr<Thunk>> EmitLibraryThunk(
    const HloInstruction& hlo, const ThunkEmitterContext& context);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_OPS_H_
