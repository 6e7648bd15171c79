// LU decompositions of batches of matrices, as HLO ops. Written in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_LU_DECOMPOSITION_H_
#define XLA_HLO_BUILDER_LIB_LU_DECOMPOSITION_H_

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Row i of l u is row permutation[i] of a.
struct LuDecompositionResult {
  // [..., m, n]: u in the upper triangle; below it l, whose diagonal is 1.
  XlaOp lu;
  // s32[..., min(m, n)]: at step i rows i and pivots[i] changed places.
  XlaOp pivots;
  // s32[..., m].
  XlaOp permutation;
};

// [..., m, n] of F32, F64, C64 or C128, with partial pivoting by |Re| + |Im| as
// LAPACK's getrf. Errors, kept in the builder: matrix_c1, matrix_c3. Source:
// Golub and Van Loan, "Matrix computations", section 3.4.
LuDecompositionResult LuDecomposition(XlaOp a);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_LU_DECOMPOSITION_H_
