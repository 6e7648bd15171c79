// ComplexMath: functions of complex numbers, computed in double. The values are
// those of C's Annex G, except where the evaluator's complex_math.h differs.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_COMPLEX_MATH_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_COMPLEX_MATH_H_

#include "xla/backends/cpu/codegen/elementwise/complex_values.h"

namespace xla::cpu {

// Emits functions at the insertion point of `context`'s builder; may split the
// block.
class ComplexMath {
 public:
  // `is_narrow`: operands are in the range of floats and results are rounded
  // to them, so that no square of a part over- or underflows.
  ComplexMath(EmitContext& context, bool is_narrow)
      : context_(context), is_narrow_(is_narrow) {}

  Real Abs(Complex z);
  Complex Divide(Complex x, Complex y);
  Complex Sign(Complex z);

  Complex Exp(Complex z);
  Complex Expm1(Complex z);
  Complex Log(Complex z);
  Complex Log1p(Complex z);
  Complex Logistic(Complex z);
  Complex Power(Complex base, Complex exponent);

  // The square root with C's branch cut; Sqrt treats an imaginary -0 as +0.
  Complex SqrtOfSignedZero(Complex z);
  Complex Sqrt(Complex z);
  Complex Rsqrt(Complex z);

  Complex Sin(Complex z);
  Complex Cos(Complex z);
  Complex Tan(Complex z);
  Complex Sinh(Complex z);
  Complex Cosh(Complex z);
  Complex Tanh(Complex z);

  Complex Asin(Complex z);
  Complex Acos(Complex z);
  Complex Asinh(Complex z);
  Complex Acosh(Complex z);
  Complex Atanh(Complex z);
  Complex Atan2(Complex y, Complex x);

 private:
  using Function = llvm::Value* (MathBuilder::*)(llvm::Value*);

  // Calls a function of MathBuilder.
  Real Of(Function function, Real x);
  Real RealAtan2(Real y, Real x);
  // sqrt(x^2 + y^2).
  Real Hypot(Real x, Real y);
  // The product, represented exactly as the sum of both parts.
  struct Pair {
    Real high, low;
  };
  Pair ExactProduct(Real x, Real y);
  // c + x^2 + y^2, nearly exact even where the terms cancel.
  Real SquaresPlus(Real c, Real x, Real y);
  // log x, or log(1 + excess) if that is close to 0; `x` is approximately 1 +
  // excess.
  Real LogNearOne(Real excess, Real x);
  // sinh x and cosh x, scaled so that they do not overflow before the result
  // does.
  struct Hyperbolic {
    Real sinh, cosh;
    Real rest;  // factor still to be applied to both; mostly 1
  };
  Hyperbolic SinhCosh(Real x);
  // The two square roots that asin and acos are made of.
  struct Roots {
    Complex minus, plus;  // sqrt(1 - z), sqrt(1 + z)
  };
  Roots RootsAround(Complex z);

  EmitContext& context_;
  const bool is_narrow_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_COMPLEX_MATH_H_
