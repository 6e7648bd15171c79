// The argument reduction of exp, shared by everything built on exponentials.
// Internal to this folder.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_PARTS_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_PARTS_H_

#include "xla/backends/cpu/codegen/math/float_lanes.h"

namespace xla::cpu {

// exp(x) = 2^n * (1 + q) with |x - n ln 2| <= ln(2) / 2.
struct ExpParts {
  llvm::Value* q;
  llvm::Value* n;       // as a float
  llvm::Value* n_bits;  // integer lanes with n in the low bits
};

// Relative to what the error of q is small.
enum class ExpError {
  kOfExp,    // 1 + q
  kOfExpm1,  // q, also where it is near 0
};

// Reduces x + `correction` (null: 0; else below an ulp of x). Needs |x| below
// 2000; n of smaller ones is below -2000, and q anything. NaN gives q = NaN.
ExpParts ReduceExp(FloatLanes& l, llvm::Value* x, ExpError error,
                   llvm::Value* correction = nullptr);

// 2^n * (1 + q) over the whole range of results, denormals and infinity
// included, when the reduced argument was `x` (clamped to within the bounds of
// ExpLow and ExpHigh; that of ExpLow is not needed with AVX-512).
llvm::Value* ScaleExp(FloatLanes& l, const ExpParts& parts, llvm::Value* x);

// Arguments at which exp has certainly become 0 or infinity.
llvm::Value* ExpLow(FloatLanes& l);
llvm::Value* ExpHigh(FloatLanes& l);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_PARTS_H_
