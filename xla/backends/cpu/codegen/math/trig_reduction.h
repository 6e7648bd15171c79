// Reduces arguments of trigonometric functions modulo pi or pi/2, for every
// finite number. Internal to this folder.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_TRIG_REDUCTION_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_TRIG_REDUCTION_H_

#include "xla/backends/cpu/codegen/math/float_lanes.h"

namespace xla::cpu {

enum class TrigUnit {
  kPi,         // a = n pi + r
  kPiShifted,  // a = (n - 1/2) pi + r: r is small at the zeros of cos
  kHalfPi,     // a = n pi/2 + r
};

// r is in [-pi/2, pi/2], or [-pi/4, pi/4] for kHalfPi, or slightly outside.
struct TrigParts {
  llvm::Value* r;
  // Null except for kHalfPi, where r + r_lo is more precise than r.
  llvm::Value* r_lo;
  llvm::Value* n;  // integer lanes, parity in the lowest bit
};

// Reduces a >= 0; infinity and NaN give r = NaN. Splits the block: if any lane
// has a large argument (from 2^15 for f32, 2^20 for f64), it takes another
// path.
TrigParts ReduceTrig(FloatLanes& l, llvm::Value* a, TrigUnit unit);

// Reduces f32 arguments of either sign, `x` in lanes of `narrow`, to parts in
// the f64 lanes of `wide`: a = x for kPi, |x| or x for kPiShifted. Arguments
// from 2^30 on are large, from 2^20 on without fma. Does not support kHalfPi.
TrigParts ReduceFloatTrig(FloatLanes& narrow, FloatLanes& wide, llvm::Value* x,
                          TrigUnit unit);

// The path for large arguments: `a` is in f64 lanes and at least 2^15. r_lo is
// null.
TrigParts ReduceLargeTrig(FloatLanes& l, llvm::Value* a, TrigUnit unit);
// The same for numbers that are exact in f32. Does not support kHalfPi.
TrigParts ReduceLargeFloatTrig(FloatLanes& l, llvm::Value* a, TrigUnit unit);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_TRIG_REDUCTION_H_
