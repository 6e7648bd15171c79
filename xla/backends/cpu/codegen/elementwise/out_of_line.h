// Emits long operations as functions of their own, so that code with thousands
// of them stays short. The caller emits what they compute.
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

// True if the code of an op on floats or complex numbers is dozens of
// instructions long, so that the cost of a call is small in comparison.
bool IsLongOperation(HloOpcode opcode, bool is_complex);

// The value of EmitContext::long_operations with which a function that runs
// these instructions starts: 0, or the inline limit if they exceed it, so that
// all of them become calls.
int FirstLongOperations(absl::Span<const HloInstruction* const> instructions);

// Emits emit(context, operands), or a call once the function has many long
// operations. Functions of a module share the callee, whose symbol is `name`
// and the number of lanes: `name` must cover the op, the types and all else
// that `emit` depends on. `type` is the type of the result.
absl::StatusOr<Element> EmitOrCall(EmitContext& context,
                                   const std::string& name, PrimitiveType type,
                                   absl::Span<const Element> operands,
                                   EmitOperation emit);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_OUT_OF_LINE_H_
