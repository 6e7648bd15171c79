// Operations for which only AVX-512 has an instruction. Internal to this
// folder.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_REGISTERS_AVX512_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_REGISTERS_AVX512_H_

#include "xla/backends/cpu/codegen/math/float_lanes.h"

namespace xla::cpu {

// All require has_avx512 and take any number of lanes.

// x * 2^n, rounded once; n is integral.
llvm::Value* ScaleByInstruction(FloatLanes& l, llvm::Value* x, llvm::Value* n);

// 1 / x of floats within 0.6 ulp, for 2^-100 < |x| < 2^100; NaN for NaN.
llvm::Value* ReciprocalByEstimate(FloatLanes& l, llvm::Value* x);

// The greater, or the lesser, of x and y, neither of which is NaN; +0 is
// greater than -0.
llvm::Value* ExtremeByInstruction(FloatLanes& l, llvm::Value* x, llvm::Value* y,
                                  bool greater);

// table[index % 16] of each lane, rounded to the lanes' type; `index` is an
// integer of as many bits.
llvm::Value* LookUpByInstruction(FloatLanes& l, const double (&table)[16],
                                 llvm::Value* index);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_REGISTERS_AVX512_H_
