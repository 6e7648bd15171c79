// Element-wise operations on values in registers: what an opcode computes from
// the elements of its operands. Where these come from is left to others.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_ELEMENTWISE_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_ELEMENTWISE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// The element of `instruction`'s result from those of its operands, all of as
// many lanes. For every opcode whose OpDef is elementwise, and
// bitcast-convert between types of one width, on all types that the op
// allows; the meaning is the evaluator's. Integer division by zero, shifts
// beyond the width, conversions out of range do not trap. May split the block:
// the insertion point moves on. Errors: Unimplemented naming the op and type.
absl::StatusOr<Element> EmitElementwise(EmitContext& context,
                                        const HloInstruction& instruction,
                                        absl::Span<const Element> operands);

// What EmitElementwise uses and others may: the conversion of an element.
absl::StatusOr<Element> EmitConvert(EmitContext& context, PrimitiveType from,
                                    PrimitiveType to, Element element);

// The type in which a dot sums products. That of the operands, widened: a float
// or complex operand makes it F32, F64, C64 or C128, with the more bits if
// either operand or the result has them. Integers are summed in an integer
// result's type, modulo its width, else in 64 bits. pred is a sum of its own,
// an or, if operands and result are.
PrimitiveType AccumulatorType(PrimitiveType lhs, PrimitiveType rhs,
                              PrimitiveType result);
Element ZeroElement(llvm::LLVMContext& context, PrimitiveType type);
// x * y + sum, fused where the target has it; `type` is an accumulator type
// (pred: or of ands).
absl::StatusOr<Element> EmitMultiplyAdd(EmitContext& context,
                                        PrimitiveType type, const Element& x,
                                        const Element& y, const Element& sum);

// `value` of the literal's type in registers, scalar. `linear_index` counts
// elements in the order of the literal's layout.
Element ConstantElement(llvm::LLVMContext& context, const LiteralSlice& literal,
                        int64_t linear_index);

// All of them in memory form and row-major order (the literal's layout must be
// row-major): the initializer of a global. Errors: Unimplemented for tuples.
absl::StatusOr<llvm::Constant*> ConstantArray(llvm::LLVMContext& context,
                                              const LiteralSlice& literal);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_ELEMENTWISE_H_
