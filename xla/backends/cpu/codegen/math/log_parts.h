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

// x = 2^e (1 + r) / c, exactly, with |r| < 0.03 and c one of 16 numbers: 1 for
// numbers near 1, so that their logarithms are exact, too.
struct LogPieces {
  llvm::Value* r;  // rounded
  HiLo exact_r;    // lo is less than an ulp of 1
  llvm::Value* e;
  HiLo log_c;  // -log(c); e ln2 + hi is exact for an ln2 of 42 bits
};

// The same of doubles with AVX-512, which looks c up. SplitLogPieces requires
// positive normal x; SplitLogPiecesOfAny takes any positive finite x.
LogPieces SplitLogPieces(FloatLanes& l, llvm::Value* x);
LogPieces SplitLogPiecesOfAny(FloatLanes& l, llvm::Value* x);

// ln 2 with 42 bits, and the rest.
HiLo Ln2InTwoParts(FloatLanes& l);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_PARTS_H_
