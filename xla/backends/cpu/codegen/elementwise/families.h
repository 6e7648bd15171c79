// What elementwise.cc chooses from: the ops by the kind of number that they
// compute with. All return null for an op that has no meaning for the kind.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_FAMILIES_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_FAMILIES_H_

#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/core/comparison.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla::cpu {

// Of floats or doubles, with a result of their type; is-finite gives i1.
llvm::Value* EmitFloatOp(EmitContext& context, HloOpcode opcode,
                         absl::Span<llvm::Value* const> x);
// The functions among them that take one operand.
llvm::Value* EmitFloatFunction(EmitContext& context, HloOpcode opcode,
                               llvm::Value* x);

// Of integers of any width.
llvm::Value* EmitIntegerOp(EmitContext& context, HloOpcode opcode,
                           bool is_signed, absl::Span<llvm::Value* const> x);
// Those of them that move or count bits. Shift amounts count as unsigned.
llvm::Value* EmitBitOp(llvm::IRBuilder<>& b, HloOpcode opcode,
                       absl::Span<llvm::Value* const> x);
// base^exponent by squaring, a loop.
llvm::Value* EmitIntegerPower(EmitContext& context, bool is_signed,
                              llvm::Value* base, llvm::Value* exponent);
// The truncated quotient or its remainder.
llvm::Value* EmitIntegerDivision(EmitContext& context, HloOpcode opcode,
                                 bool is_signed, llvm::Value* a,
                                 llvm::Value* b);

llvm::Value* EmitPredOp(llvm::IRBuilder<>& b, HloOpcode opcode,
                        absl::Span<llvm::Value* const> x);

// Of two parts of floats or doubles. abs gives a real number; `imag` is null.
Element EmitComplexOp(EmitContext& context, HloOpcode opcode,
                      absl::Span<const Element> z);

// i1. Of integers, floats, doubles and, for equality, complex numbers; `total`
// is the total order of floats, or of integers that are the bits of floats.
llvm::Value* EmitCompare(llvm::IRBuilder<>& b, ComparisonDirection direction,
                         bool is_signed, bool total, const Element& x,
                         const Element& y);

// Bits of an IEEE format of so many exponent and mantissa bits, rounded to
// fewer of them.
llvm::Value* EmitReducePrecision(llvm::IRBuilder<>& b, llvm::Value* bits,
                                 int source_exponent_bits,
                                 int source_mantissa_bits, int exponent_bits,
                                 int mantissa_bits);

// A double and random bits, all of which count, to a double that is a number
// of type `to`.
llvm::Value* EmitStochasticRound(EmitContext& context, llvm::Value* x,
                                 llvm::Value* random, PrimitiveType to);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_FAMILIES_H_
