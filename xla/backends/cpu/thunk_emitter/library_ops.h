// Library ops: the instructions that become a thunk of their own instead of
// native code, and their thunks.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_OPS_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_OPS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Whether the instruction is a library op. Contractions, attention fusions,
// FFTs, sorts, factorisations, custom calls, collectives, transfers and ops
// that read the device's own state are, and so are their start and done halves.
// Ops that only name, bundle or order values, and ops that call computations
// (while, call, async-start), are not.
bool IsLibraryOp(const HloInstruction& hlo);

// A kernel that a library op calls with arrays of its own choice; one of the
// two is set.
struct NativeKernel {
  // The instruction between the dots of an attention fusion, or the last one or
  // the producer of a product fusion. Workgroups are rows, or blocks of
  // `columns` elements of them if that is not 0; arrays are those of its
  // operands, in order. The result is written over operand number `block`, or
  // to one more array if its elements are not as wide or `block` is the number
  // of operands.
  const HloInstruction* rows = nullptr;
  int64_t block = -1;
  int64_t columns = 0;
  // Whether the last array is the range of the columns of rows that are
  // computed (KernelFrame::AddColumnRange).
  bool column_range = false;
  // A scalar computation: the reducer of all-reduce(-start) and reduce-scatter,
  // or a sort's comparator that does not order by keys. Workgroups are
  // elements; arrays are those of its parameters, in order, and of its result,
  // which may lie in the memory of a parameter.
  const HloComputation* mapped = nullptr;
};
std::vector<NativeKernel> NativeKernelsOf(const HloInstruction& hlo);

// Whether there is a kernel for a topk, which depends on its type and on the
// length of its rows.
bool HasTopKKernel(const HloInstruction& topk);

// Returns null if there is nothing to do at run time. The thunk may refer to
// the instruction, which must outlive it. Operands and results lie where
// `context` says; nothing else is written. Only all-reduce, copies and custom
// calls may have operands and results that share memory, element by element or
// as output_to_operand_aliasing says. Errors: Unimplemented, which names the
// instruction, for layouts other than row-major (custom calls take any),
// dynamic dimensions and types that a kernel does not have; those of typed
// custom calls' instantiation; Internal for an instruction that is no library
// op.
absl::StatusOr<std::unique_ptr<Thunk>> EmitLibraryThunk(
    const HloInstruction& hlo, const ThunkEmitterContext& context);

// A thunk that packs an operand before a loop, and the products in the loop for
// which it is the one that ThunkEmitterContext::PackThunkOf returns.
struct PackedOperand {
  std::unique_ptr<Thunk> thunk;
  std::vector<const HloInstruction*> products;
};

// Returns the thunk for `value`, an array that is the right operand of
// `products`, dots or epilogue fusions of one, whenever they run; no thunk and
// no products if packing ahead does not pay.
absl::StatusOr<PackedOperand> EmitPackThunk(
    const HloInstruction& value,
    absl::Span<const HloInstruction* const> products,
    const ThunkEmitterContext& context);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_OPS_H_
