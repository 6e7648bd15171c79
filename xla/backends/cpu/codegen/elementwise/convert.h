// Conversions of real values in registers; EmitConvert in elementwise.h
// converts whole elements.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_CONVERT_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_CONVERT_H_

#include "xla/backends/cpu/codegen/llvm_ir/element.h"

namespace xla::cpu {

// The type in which arithmetic on elements of `type` is done: F32 for floats
// below 32 bits, else `type`.
PrimitiveType ComputeType(PrimitiveType type);

// Converts a real value between any two array types that are not complex. The
// semantics are those of ConvertValue in xla/base/convert_value.h.
llvm::Value* ConvertReal(EmitContext& context, PrimitiveType from,
                         PrimitiveType to, llvm::Value* value);

// Extends an integer by its sign or by zeros to `bits` bits, or truncates it to
// them.
llvm::Value* ResizeInt(llvm::IRBuilder<>& b, llvm::Value* value, int bits,
                       bool is_signed);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_CONVERT_H_
