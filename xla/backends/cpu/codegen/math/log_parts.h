// The argument reduction of logarithms, shared with pow and erfinv. Internal
// to this folder.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_PARTS_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_PARTS_H_

#include "xla/backends/cpu/codegen/math/float_lanes.h"

namespace xla::cpu {

// x = 2^e (1 + f), exactly, with sqrt(1/2) <= 1 + f <= sqrt(2).
struct LogParts {
  llvm::Value* f;
  llvm::Value* e;
  llvm::Value* e_bits;  // integer lanes: e for f32, e + 1024 for f64
};

// Requires positive normal x; anything else gives garbage.
LogParts SplitLog(FloatLanes& l, llvm::Value* x);

// Takes any positive finite x, denormals included; e_bits is unusable.
LogParts SplitLogOfAny(FloatLanes& l, llvm::Value* x);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_PARTS_H_
