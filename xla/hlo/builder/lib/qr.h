// QR decompositions of batches of matrices, as HLO ops. The builder keeps
// errors; elements are F32, F64, C64 or C128 (matrix_c3). Defined in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_QR_H_
#define XLA_HLO_BUILDER_LIB_QR_H_

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

struct QrDecomposition {
  // [..., m, n]: R in the upper triangle; below it, each column has a
  // Householder vector without its first element, 1. This is the form of
  // LAPACK's geqrf.
  XlaOp q_and_r;
  // [..., min(m, n)]: the factors tau of Q = H(0) H(1) ..., where H = 1 - tau v
  // v^H.
  XlaOp taus;
};

// Takes [..., m, n]. Source: Golub and Van Loan, "Matrix computations", section
// 5.2.
QrDecomposition Qr(XlaOp a);

// Returns the first n columns of Q from vectors [..., m, n], n <= m, as Qr
// gives them, and factors [..., k], k <= n, like LAPACK's orgqr. Errors:
// householder_c1.
XlaOp ProductOfElementaryHouseholderReflectors(XlaOp a, XlaOp taus);

// Sets q [..., m, p] with orthonormal columns and upper triangular r [..., p,
// n] such that a = q r; p is m if `full_matrices`, else min(m, n).
void QrExplicit(XlaOp a, bool full_matrices, XlaOp& q, XlaOp& r);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_QR_H_
