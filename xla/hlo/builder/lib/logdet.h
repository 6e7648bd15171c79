// Logarithms of determinants of batches of matrices. Defined in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_LOGDET_H_
#define XLA_HLO_BUILDER_LIB_LOGDET_H_

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// det(a) = sign exp(logdet).
struct SignAndLogDet {
  XlaOp sign;    // [...]: -1, 0 or 1; for complex matrices of modulus 1 or 0
  XlaOp logdet;  // [...], real; -inf where the determinant is 0
};

// Takes [..., n, n] of F32, F64, C64 or C128. Errors, which the builder keeps:
// matrix_c1 to matrix_c3.
SignAndLogDet SLogDet(XlaOp a);

// Returns log(det(a)): NaN where a real determinant is negative, complex for
// complex matrices.
XlaOp LogDet(XlaOp a);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_LOGDET_H_
