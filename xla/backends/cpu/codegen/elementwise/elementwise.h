// Element-wise operations on values in registers: computes the result of an
// opcode from the elements of its operands. Loading operands is left to the
// callers.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_ELEMENTWISE_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_ELEMENTWISE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Computes the element of `instruction`'s result from those of its operands,
// all with the same number of lanes. Supports every opcode whose OpDef is
// elementwise, and bitcast-convert between types of one width, on all types
// that the op allows; the evaluator defines the semantics. Integer division by
// zero, shifts beyond the width and conversions out of range do not trap. May
// split the block: the insertion point moves on. Errors: Unimplemented naming
// the op and type.
absl::StatusOr<Element> EmitElementwise(EmitContext& context,
                                        const HloInstruction& instruction,
                                        absl::Span<const Element> operands);

// Converts an element from one type to another.
absl::StatusOr<Element> EmitConvert(EmitContext& context, PrimitiveType from,
                                    PrimitiveType to, Element element);

// The type in which a dot sums products: that of the operands, widened. A float
// or complex operand makes it F32, F64, C64 or C128, whichever has enough bits
// for both operands and the result. Integers are summed in the type of an
// integer result, modulo its width, else in 64 bits. If operands and result are
// pred, the sum is an or.
PrimitiveType AccumulatorType(PrimitiveType lhs, PrimitiveType rhs,
                              PrimitiveType result);
Element ZeroElement(llvm::LLVMContext& context, PrimitiveType type);
// Computes x * y + sum, fused where the target has fma; `type` is an
// accumulator type (for pred, the or of ands).
absl::StatusOr<Element> EmitMultiplyAdd(EmitContext& context,
                                        PrimitiveType type, const Element& x,
                                        const Element& y, const Element& sum);

// The literal's element in registers, as a scalar. `linear_index` counts
// elements in the order of the literal's layout.
Element ConstantElement(llvm::LLVMContext& context, const LiteralSlice& literal,
                        int64_t linear_index);

// All elements in memory form and row-major order, for the initializer of a
// global; the literal's layout must be row-major. Errors: Unimplemented for
// tuples.
absl::StatusOr<llvm::Constant*> ConstantArray(llvm::LLVMContext& context,
                                              const LiteralSlice& literal);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_ELEMENTWISE_H_
