// Native code of one instruction: a fusion, or an op on its own.
#ifndef XLA_BACKENDS_CPU_CODEGEN_INSTRUCTION_EMITTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_INSTRUCTION_EMITTER_H_

#include "absl/status/status.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Emits workgroups [begin, end) of WorkOf(instruction). Errors: Unimplemented
// for ops without native code.
absl::Status EmitInstruction(EmitContext& context, ArrayMap& arrays,
                             const HloInstruction& instruction,
                             llvm::Value* begin, llvm::Value* end);

// The same for a loop whose workgroups are blocks of `columns` elements of each
// row (KernelSpec::row_columns).
absl::Status EmitBlocksOfRows(EmitContext& context, ArrayMap& arrays,
                              const HloInstruction& instruction,
                              int64_t columns, llvm::Value* begin,
                              llvm::Value* end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_INSTRUCTION_EMITTER_H_
