// Functions of numbers that are not HLO ops, or are ops without a function in
// xla_builder.h. All are element-wise, and the builder keeps their errors.
// Elements are F32, F64, or smaller floats, which are computed in F32; unless
// stated otherwise, other types give math_c1. The arguments of a function have
// the same shape or are scalars. Erf, Rsqrt and Tan are in xla_builder.h.
// Defined in builder/special/, with the source of each.
#ifndef XLA_HLO_BUILDER_LIB_MATH_H_
#define XLA_HLO_BUILDER_LIB_MATH_H_

#include <optional>

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// These return pred[...] and take floating-point types only.
XlaOp IsPosInf(XlaOp operand);
XlaOp IsNegInf(XlaOp operand);
XlaOp IsInf(XlaOp operand);
XlaOp IsNan(XlaOp operand);
XlaOp IsNegZero(XlaOp operand);

// Returns the next number after `from` towards `to`, like C's nextafter.
XlaOp NextAfter(XlaOp from, XlaOp to);

// Return x * x and 1 / x, for all numbers.
XlaOp Square(XlaOp operand);
XlaOp Reciprocal(XlaOp operand);

// Return 1 - erf(x), accurate also where erf(x) is near 1, and the inverse of
// erf, infinite at -1 and 1 and NaN beyond.
XlaOp Erfc(XlaOp x);
XlaOp ErfInv(XlaOp x);

// Return log|gamma(x)|, infinite at poles, and its derivative psi(x), NaN at
// poles. Both have relative accuracy except near zeros below 0 and, of psi,
// near 1.4616.
XlaOp Lgamma(XlaOp input);
XlaOp Digamma(XlaOp input);

// Return the regularized incomplete gamma functions P(a, x) and Q = 1 - P, NaN
// unless a > 0 and x >= 0; dP/da; and dx/da of a sample x of the gamma
// distribution with parameter a, which is -(dP/da) / (dP/dx).
XlaOp Igamma(XlaOp a, XlaOp x);
XlaOp Igammac(XlaOp a, XlaOp x);
XlaOp IgammaGradA(XlaOp a, XlaOp x);
XlaOp RandomGammaGrad(XlaOp a, XlaOp x);

// Return the n-th derivative of psi, NaN unless n = 0, 1, 2, ...; and the
// Hurwitz zeta function, the sum of (q + k)^-x over k = 0, 1, ..., for x > 1.
XlaOp Polygamma(XlaOp n, XlaOp x);
XlaOp Zeta(XlaOp x, XlaOp q);

// Rounds halves to the even integer.
XlaOp RoundToEven(XlaOp x);

// These also take complex numbers. Each is one op, which has the given
// accuracy; `expand`, which in XLA asks for several ops in its place, changes
// nothing.
XlaOp Acos(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
           bool expand = true);
XlaOp Asin(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
           bool expand = true);
XlaOp Atan(XlaOp x);
XlaOp Acosh(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
            bool expand = true);
XlaOp Asinh(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
            bool expand = true);
XlaOp Atanh(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
            bool expand = true);
XlaOp Cosh(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
           bool expand = true);
XlaOp Sinh(XlaOp x, OptionalAccuracy result_accuracy = std::nullopt,
           bool expand = true);

// Returns the conjugate of complex numbers if `conjugate`, else `x`.
XlaOp MaybeConjugate(XlaOp x, bool conjugate);

// Return exp(-|x|) I0(x) and exp(-|x|) I1(x), with the modified Bessel
// functions.
XlaOp BesselI0e(XlaOp x);
XlaOp BesselI1e(XlaOp x);

// Returns the regularized incomplete beta function I_x(a, b); NaN unless a > 0,
// b > 0 and 0 <= x <= 1.
XlaOp RegularizedIncompleteBeta(XlaOp a, XlaOp b, XlaOp x);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_MATH_H_
