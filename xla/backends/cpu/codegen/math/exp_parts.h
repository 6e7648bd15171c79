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

// Selects the value whose relative error is small.
enum class ExpError {
  kOfExp,    // 1 + q
  kOfExpm1,  // q, also where it is near 0
};

// Reduces x + `correction` (null means 0; otherwise it is below an ulp of x).
// Requires |x| < 2000: for smaller x, n is below -2000 and q is arbitrary. NaN
// gives q = NaN.
ExpParts ReduceExp(FloatLanes& l, llvm::Value* x, ExpError error,
                   llvm::Value* correction = nullptr);

// Computes 2^n * (1 + q) over the whole range of results, including denormals
// and infinity, for the reduced argument `x`. The caller has clamped x to
// [ExpLow, ExpHigh]; with AVX-512 the lower clamp is unnecessary.
llvm::Value* ScaleExp(FloatLanes& l, const ExpParts& parts, llvm::Value* x);

// Arguments at which exp has certainly reached 0 or infinity.
llvm::Value* ExpLow(FloatLanes& l);
llvm::Value* ExpHigh(FloatLanes& l);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_PARTS_H_
