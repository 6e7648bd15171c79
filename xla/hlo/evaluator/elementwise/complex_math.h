// Functions of complex numbers that <complex> lacks.
#ifndef XLA_HLO_EVALUATOR_ELEMENTWISE_COMPLEX_MATH_H_
#define XLA_HLO_EVALUATOR_ELEMENTWISE_COMPLEX_MATH_H_

#include "xla/base/types.h"

namespace xla {

// Returns the plain product, without C's recovery of infinities.
complex128 ComplexMultiply(complex128 a, complex128 b);
// Returns the quotient as C's Annex G defines it.
complex128 ComplexDivide(complex128 a, complex128 b);
// Return e^z - 1 and log(1 + z), exact near 0.
complex128 ComplexExpm1(complex128 z);
complex128 ComplexLog1p(complex128 z);
complex128 ComplexRsqrt(complex128 z);
// On their branch cuts XLA treats -0 as +0, unlike C, so these functions have
// the values of one side there, whatever the sign of zero.
complex128 ComplexSqrt(complex128 z);
complex128 ComplexAcos(complex128 z);
complex128 ComplexAcosh(complex128 z);
complex128 ComplexAsin(complex128 z);
complex128 ComplexAsinh(complex128 z);
// Returns 1 / (1 + e^-z).
complex128 ComplexLogistic(complex128 z);
// Returns z / |z|; for 0 returns 0 with its signs.
complex128 ComplexSign(complex128 z);
// Returns e^(b log a); a^0 is 1, 0^b is 0 for positive b.
complex128 ComplexPower(complex128 a, complex128 b);
// Returns -i log((x + iy) / sqrt(x^2 + y^2)).
complex128 ComplexAtan2(complex128 y, complex128 x);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_ELEMENTWISE_COMPLEX_MATH_H_
