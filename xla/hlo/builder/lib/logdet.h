// Logarithms of determinants of batches of matrices. Written in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_LOGDET_H_
#define XLA_HLO_BUILDER_LIB_LOGDET_H_

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// det(a) = sign exp(logdet).
struct SignAndLogDet {
  XlaOp sign;    // [...]: -1, 0 or 1; of complex matrices of size 1 or 0
  XlaOp logdet;  // [...], real; -inf where the determinant is 0
};

// [..., n, n] of F32, F64, C64 or C128. Errors, kept in the builder: matrix_c1
// to matrix_c3.
SignAndLogDet SLogDet(XlaOp a);

// log(det(a)): NaN where a real determinant is negative, complex for complex
// matrices.
XlaOp LogDet(XlaOp a);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_LOGDET_H_
