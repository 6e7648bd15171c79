// Eigenvalues of batches of symmetric and Hermitian matrices, as HLO ops.
// Defined in builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_SELF_ADJOINT_EIG_H_
#define XLA_HLO_BUILDER_LIB_SELF_ADJOINT_EIG_H_

#include <cstdint>

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// a = v diag(w) v^H.
struct SelfAdjointEigResult {
  XlaOp v;  // [..., n, n], orthonormal columns
  XlaOp w;  // [..., n], real; ascending if sorted
};

// [..., n, n] of F32, F64, C64 or C128, of which only the triangle given by
// `lower` is read. Ends when the elements off the diagonal were below `tol` of
// the norm before the last sweep, which squares them, or after `max_iter`
// sweeps. Errors, kept in the builder: matrix_c1 to matrix_c3. Source: Golub
// and Van Loan, "Matrix computations", section 8.5, in the parallel order of
// Brent and Luk (1985).
SelfAdjointEigResult SelfAdjointEig(XlaOp a, bool lower = true,
                                    int64_t max_iter = 15, float tol = 1e-5,
                                    bool sort_eigenvalues = true);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_SELF_ADJOINT_EIG_H_
