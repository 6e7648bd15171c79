// LU decompositions of batches of matrices, as HLO ops. Defined in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_LU_DECOMPOSITION_H_
#define XLA_HLO_BUILDER_LIB_LU_DECOMPOSITION_H_

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Row i of l u is row permutation[i] of a.
struct LuDecompositionResult {
  // [..., m, n]: u in the upper triangle; below it l, whose diagonal is 1.
  XlaOp lu;
  // s32[..., min(m, n)]: step i swapped rows i and pivots[i].
  XlaOp pivots;
  // s32[..., m].
  XlaOp permutation;
};

// Decomposes [..., m, n] of F32, F64, C64 or C128, pivoting by |Re| + |Im| like
// LAPACK's getrf. Errors, which the builder keeps: matrix_c1, matrix_c3.
// Source: Golub and Van Loan, "Matrix computations", section 3.4.
LuDecompositionResult LuDecomposition(XlaOp a);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_LU_DECOMPOSITION_H_
