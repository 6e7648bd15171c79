// Emitters of loop fusions, and of dynamic-update-slices in place.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LOOPS_LOOP_FUSION_H_
#define XLA_BACKENDS_CPU_CODEGEN_LOOPS_LOOP_FUSION_H_

#include "absl/status/status.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"

namespace xla::cpu {

// Emits workgroups [begin, end) of WorkOf(bound.instruction()), which computes
// each element independently.
absl::Status EmitLoopFusion(BoundInstruction& bound, llvm::Value* begin,
                            llvm::Value* end);

// Emits workgroups [begin, end) of the same loop, which are not those of WorkOf
// but blocks of `columns` elements of each row of its one output.
absl::Status EmitLoopOfRows(BoundInstruction& bound, int64_t columns,
                            llvm::Value* begin, llvm::Value* end);

// Emits the single workgroup of an instruction some of whose outputs update an
// operand in place.
absl::Status EmitUpdateInPlace(BoundInstruction& bound, llvm::Value* begin,
                               llvm::Value* end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LOOPS_LOOP_FUSION_H_
