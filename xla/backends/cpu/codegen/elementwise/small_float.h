// Floats below 32 bits in registers: conversion to float, exactly, and back,
// with rounding. Uses integer operations, except where the processor converts
// halves.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_SMALL_FLOAT_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_SMALL_FLOAT_H_

#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/base/float_types.h"

namespace xla::cpu {

// The parameters of a format; see MiniFloat.
struct SmallFormat {
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int bias = 0;
  MiniFloatKind kind = MiniFloatKind::kIeee;

  int magnitude_bits() const { return exponent_bits + mantissa_bits; }
};

// False for F32, F64 and types that are not floats.
bool IsSmallFloat(PrimitiveType type);
// Requires IsSmallFloat(type).
SmallFormat SmallFormatOf(PrimitiveType type);

// The bits of 1, and of 0 (of NaN if the format has no 0).
uint64_t BitsOfOne(SmallFormat format);
uint64_t BitsOfZero(SmallFormat format);

// Converts the bits of a small float to float.
llvm::Value* SmallToFloat(EmitContext& context, PrimitiveType type,
                          llvm::Value* bits);

// Rounds floats to bf16, as bits. A NaN whose low half is not 0 may become any
// number: results of arithmetic on what were bf16 numbers have no such NaN,
// since processors return an operand's NaN, or one whose low half is 0.
llvm::Value* RoundBfloat16Arithmetic(llvm::IRBuilder<>& b, llvm::Value* x);

// Converts a float or a double to the bits of a small float, rounded once to
// nearest even.
llvm::Value* FloatToSmall(EmitContext& context, llvm::Value* x,
                          PrimitiveType type);

// Returns code of the same value as `bits` that is better where that is only
// stored: rounded bf16 numbers are packed before they are rounded, not after.
// Other values are returned as they are.
llvm::Value* ForStoringBfloat16(EmitContext& context, llvm::Value* bits);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_SMALL_FLOAT_H_
