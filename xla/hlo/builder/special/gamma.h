// Relatives of the gamma function that the incomplete gamma and beta functions
// also need. Arguments are F32 or F64 and, unless stated otherwise, positive.
#ifndef XLA_HLO_BUILDER_SPECIAL_GAMMA_H_
#define XLA_HLO_BUILDER_SPECIAL_GAMMA_H_

#include "xla/hlo/builder/xla_builder.h"

namespace xla::special {

// Returns log gamma(x) for x > 0.
XlaOp LogGammaOfPositive(XlaOp x);
// Returns log gamma(1 + x) for 0 <= x <= 1, accurate near 0.
XlaOp LogGammaOfOnePlus(XlaOp x);
// Return psi(x) for all x, and psi(x) - log(x) for x > 0, accurate for large x.
XlaOp DigammaOf(XlaOp x);
XlaOp DigammaMinusLog(XlaOp x);

// Returns log gamma(x + 1) - log(sqrt(2 pi x) (x / e)^x). Source: Loader, "Fast
// and accurate computation of binomial probabilities" (2000).
XlaOp StirlingError(XlaOp x);
// Returns x log(x / np) + np - x, at least 0, accurate where np is near x.
// Source: the same.
XlaOp Deviance(XlaOp x, XlaOp np);

}  // namespace xla::special

#endif  // XLA_HLO_BUILDER_SPECIAL_GAMMA_H_
