// Vector maths as LLVM IR: polynomials inlined at the insertion point, so that
// loops stay fused and no generated code calls a maths library. Which HLO uses
// which function, and the types narrower than f32, are the caller's business.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_MATH_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_MATH_H_

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace xla::cpu {

// What the target can do in one instruction. Everything else is emulated, so
// that no intrinsic becomes a library call.
struct MathOptions {
  // llvm.fma. Without it, f32 functions that need it are computed in f64.
  bool has_fma = false;
  // llvm.floor, ceil, trunc and roundeven (x86: SSE4.1; always on aarch64).
  bool has_round = false;
  // x86 AVX-512 F, DQ and VL: exp scales its result by vscalef.
  bool has_avx512 = false;
  // x86, whose max and min instructions return the second operand where it or
  // the first is NaN, or both are zeros.
  bool is_x86 = false;
};

// Emits functions of a real number, lane by lane. Operands are float, double or
// a fixed vector of them with any number of lanes; results have the same type.
//
// Special values are those of C's libm (Annex F); denormal operands and results
// are kept. docs/math-accuracy.md lists the errors in ulp.
//
// Every method adds instructions at the builder's insertion point. Sin, Cos,
// Tan and Remainder may split the block there: afterwards the insertion point
// is in another block, to which the original terminator (if any) has moved. The
// builder's fast-math flags are not applied and are restored afterwards.
class MathBuilder {
 public:
  // `builder` must outlive this object and have an insertion block.
  MathBuilder(llvm::IRBuilderBase& builder, MathOptions options)
      : builder_(builder), options_(options) {}

  // Exponentials and logarithms.
  llvm::Value* Exp(llvm::Value* x);
  llvm::Value* Exp2(llvm::Value* x);
  llvm::Value* Expm1(llvm::Value* x);
  llvm::Value* Logistic(llvm::Value* x);  // 1 / (1 + exp(-x))
  llvm::Value* Log(llvm::Value* x);
  llvm::Value* Log2(llvm::Value* x);
  llvm::Value* Log1p(llvm::Value* x);
  llvm::Value* Pow(llvm::Value* x, llvm::Value* y);

  // Trigonometry. Arguments of any size are reduced exactly.
  llvm::Value* Sin(llvm::Value* x);
  llvm::Value* Cos(llvm::Value* x);
  llvm::Value* Tan(llvm::Value* x);
  llvm::Value* Asin(llvm::Value* x);
  llvm::Value* Acos(llvm::Value* x);
  llvm::Value* Atan(llvm::Value* x);
  llvm::Value* Atan2(llvm::Value* y, llvm::Value* x);

  // Hyperbolic functions.
  llvm::Value* Sinh(llvm::Value* x);
  llvm::Value* Cosh(llvm::Value* x);
  llvm::Value* Tanh(llvm::Value* x);
  llvm::Value* Asinh(llvm::Value* x);
  llvm::Value* Acosh(llvm::Value* x);
  llvm::Value* Atanh(llvm::Value* x);

  // The error function, 1 minus it, and its inverse on [-1, 1].
  llvm::Value* Erf(llvm::Value* x);
  llvm::Value* Erfc(llvm::Value* x);
  llvm::Value* ErfInv(llvm::Value* x);

  // Roots.
  llvm::Value* Sqrt(llvm::Value* x);
  llvm::Value* Rsqrt(llvm::Value* x);
  llvm::Value* Cbrt(llvm::Value* x);

  // The greater and the lesser number: NaN if either operand is NaN, and +0 is
  // greater than -0.
  llvm::Value* Maximum(llvm::Value* x, llvm::Value* y);
  llvm::Value* Minimum(llvm::Value* x, llvm::Value* y);

  // Rounding to integral values; exact.
  llvm::Value* Floor(llvm::Value* x);
  llvm::Value* Ceil(llvm::Value* x);
  llvm::Value* Trunc(llvm::Value* x);
  llvm::Value* RoundNearestEven(llvm::Value* x);
  llvm::Value* RoundNearestAfz(llvm::Value* x);  // ties away from zero

  // fmod(x, y): the sign of x, exact for every quotient.
  llvm::Value* Remainder(llvm::Value* x, llvm::Value* y);

  // -1, 1, or x itself when x is a zero or NaN.
  llvm::Value* Sign(llvm::Value* x);
  llvm::Value* Abs(llvm::Value* x);

 private:
  using Unary = llvm::Value* (MathBuilder::*)(llvm::Value*);

  // True for f32 without fma: ThroughDouble computes the function.
  bool UsesDouble(llvm::Value* x) const;
  // Applies `function` to x widened to f64 and rounds the result back to f32.
  llvm::Value* ThroughDouble(Unary function, llvm::Value* x);
  // Maximum or, if not `greater`, Minimum.
  llvm::Value* Extreme(llvm::Value* x, llvm::Value* y, bool greater);
  llvm::Value* ExtremeOfScalars(llvm::Value* x, llvm::Value* y, bool greater);

  llvm::IRBuilderBase& builder_;
  MathOptions options_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_MATH_H_
