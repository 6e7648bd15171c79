// Functions of complex numbers that <complex> lacks.
#ifndef XLA_HLO_EVALUATOR_ELEMENTWISE_COMPLEX_MATH_H_
#define XLA_HLO_EVALUATOR_ELEMENTWISE_COMPLEX_MATH_H_

#include "xla/base/types.h"

namespace xla {

// Plain product, without C's recovery of infinities.
complex128 ComplexMultiply(complex128 a, complex128 b);
// Quotient as C's Annex G defines it.
complex128 ComplexDivide(complex128 a, complex128 b);
// e^z - 1 and log(1 + z), exact near 0.
complex128 ComplexExpm1(complex128 z);
complex128 ComplexLog1p(complex128 z);
complex128 ComplexRsqrt(complex128 z);
// On their branch cuts XLA takes -0 for +0, unlike C, so that the functions
// have the values of one side there, whatever the sign of zero.
complex128 ComplexSqrt(complex128 z);
complex128 ComplexAcos(complex128 z);
complex128 ComplexAcosh(complex128 z);
complex128 ComplexAsin(complex128 z);
complex128 ComplexAsinh(complex128 z);
// 1 / (1 + e^-z).
complex128 ComplexLogistic(complex128 z);
// z / |z|; 0 for 0, with its signs.
complex128 ComplexSign(complex128 z);
// e^(b log a); a^0 is 1, 0^b is 0 for positive b.
complex128 ComplexPower(complex128 a, complex128 b);
// -i log((x + iy) / sqrt(x^2 + y^2)).
complex128 ComplexAtan2(complex128 y, complex128 x);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_ELEMENTWISE_COMPLEX_MATH_H_
