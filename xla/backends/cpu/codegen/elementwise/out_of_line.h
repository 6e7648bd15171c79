// Long operations as functions of their own, so that code with thousands of
// them stays short. What they compute is the caller's.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_OUT_OF_LINE_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_OUT_OF_LINE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Emits an operation on elements at the insertion point of its context.
using EmitOperation = absl::FunctionRef<absl::StatusOr<Element>(
    EmitContext&, absl::Span<const Element>)>;

// Whether the code of an op on floats or complex numbers is dozens of
// instructions long, so that a call costs little beside it.
bool IsLongOperation(HloOpcode opcode, bool is_complex);

// EmitContext::long_operations to start a function with that runs these: none,
// or as many as there may be inline if there are more of them than that, so
// that all of them are calls.
int FirstLongOperations(absl::Span<const HloInstruction* const> instructions);

// As emit(context, operands), but a call once the function has many long
// operations. The callee, which functions of a module share, is named by the
// op, the types and the lanes: `name` tells what else `emit` depends on, and
// `type` is that of the result.
absl::StatusOr<Element> EmitOrCall(EmitContext& context,
                                   const std::string& name, PrimitiveType type,
                                   absl::Span<const Element> operands,
                                   EmitOperation emit);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_OUT_OF_LINE_H_
