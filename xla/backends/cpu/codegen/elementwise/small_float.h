// Floats below 32 bits in registers: to float, exactly, and back, rounded. All
// in integer operations, but where the processor converts halves itself.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_SMALL_FLOAT_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_SMALL_FLOAT_H_

#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/base/float_types.h"

namespace xla::cpu {

// What tells one format from another; see MiniFloat.
struct SmallFormat {
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int bias = 0;
  MiniFloatKind kind = MiniFloatKind::kIeee;

  int magnitude_bits() const { return exponent_bits + mantissa_bits; }
};

// False for F32, F64 and what is no float.
bool IsSmallFloat(PrimitiveType type);
// Of a type for which IsSmallFloat holds.
SmallFormat SmallFormatOf(PrimitiveType type);

// The bits of 1 and of 0 (of the format's NaN, where it has no 0).
uint64_t BitsOfOne(SmallFormat format);
uint64_t BitsOfZero(SmallFormat format);

// Bits of a small float to float.
llvm::Value* SmallToFloat(EmitContext& context, PrimitiveType type,
                          llvm::Value* bits);

// A float or a double, rounded once to nearest even, to bits.
llvm::Value* FloatToSmall(EmitContext& context, llvm::Value* x,
                          PrimitiveType type);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_SMALL_FLOAT_H_
