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

// The scalar computation that a library op wants as native code, in the form
// that kernel_abi.h says, or null: the reducer of all-reduce(-start) and
// reduce-scatter, and a comparator of sort that is no order of keys.
const HloComputation* NativeComputationOf(const HloInstruction& hlo);

// What a library op wants as native code for any rows of its own memory, or
// null: the instruction between the dots of an attention-fusion. The result is
// written over operand number `overwritten` (KernelSpec), workgroups are rows.
struct NativeRows {
  const HloInstruction* instruction = nullptr;
  int64_t overwritten = -1;
};
NativeRows NativeRowsOf(const HloInstruction& hlo);

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
