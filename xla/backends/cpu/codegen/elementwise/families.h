// The functions from which elementwise.cc chooses: the ops by the kind of
// number on which they compute. All return null if the op has no meaning for
// the kind.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_FAMILIES_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_FAMILIES_H_

#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/core/comparison.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla::cpu {

// Ops on floats or doubles, with a result of the same type; is-finite gives i1.
llvm::Value* EmitFloatOp(EmitContext& context, HloOpcode opcode,
                         absl::Span<llvm::Value* const> x);
// The unary functions among these.
llvm::Value* EmitFloatFunction(EmitContext& context, HloOpcode opcode,
                               llvm::Value* x);

// Ops on integers of any width.
llvm::Value* EmitIntegerOp(EmitContext& context, HloOpcode opcode,
                           bool is_signed, absl::Span<llvm::Value* const> x);
// Those that move or count bits. Shift amounts are unsigned.
llvm::Value* EmitBitOp(llvm::IRBuilder<>& b, HloOpcode opcode,
                       absl::Span<llvm::Value* const> x);
// base^exponent by squaring, in a loop.
llvm::Value* EmitIntegerPower(EmitContext& context, bool is_signed,
                              llvm::Value* base, llvm::Value* exponent);
// The truncated quotient or its remainder.
llvm::Value* EmitIntegerDivision(EmitContext& context, HloOpcode opcode,
                                 bool is_signed, llvm::Value* a,
                                 llvm::Value* b);

llvm::Value* EmitPredOp(llvm::IRBuilder<>& b, HloOpcode opcode,
                        absl::Span<llvm::Value* const> x);

// Ops on complex numbers whose parts are floats or doubles. abs gives a real
// number; `imag` is null.
Element EmitComplexOp(EmitContext& context, HloOpcode opcode,
                      absl::Span<const Element> z);

// Compares integers, floats, doubles and, for equality, complex numbers; gives
// an i1. `total` selects the total order of floats; the operands may then also
// be integers that are the bits of floats.
llvm::Value* EmitCompare(llvm::IRBuilder<>& b, ComparisonDirection direction,
                         bool is_signed, bool total, const Element& x,
                         const Element& y);

// Rounds the bits of an IEEE format with `source_exponent_bits` exponent bits
// to fewer exponent and mantissa bits.
llvm::Value* EmitReducePrecision(llvm::IRBuilder<>& b, llvm::Value* bits,
                                 int source_exponent_bits,
                                 int source_mantissa_bits, int exponent_bits,
                                 int mantissa_bits);

// Rounds a double to a number of type `to`, as a double. All bits of `random`
// count.
llvm::Value* EmitStochasticRound(EmitContext& context, llvm::Value* x,
                                 llvm::Value* random, PrimitiveType to);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_FAMILIES_H_
