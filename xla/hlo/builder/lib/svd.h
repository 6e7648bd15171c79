// Singular value decompositions of batches of matrices, as HLO ops. Defined in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_SVD_H_
#define XLA_HLO_BUILDER_LIB_SVD_H_

#include <cstdint>

#include "xla/hlo/builder/xla_builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// a = u diag(d) v^H.
struct SVDResult {
  XlaOp u;  // [..., m, m], orthonormal columns
  XlaOp d;  // [..., min(m, n)], real, descending
  XlaOp v;  // [..., n, n], orthonormal columns
};

// Decomposes [..., m, n] of F32, F64, C64 or C128. Ends when the cosines
// between columns are below `epsilon`, which the last sweep squares, or after
// `max_iter` sweeps. Errors, kept in the builder: matrix_c1, matrix_c3. Source:
// one-sided Jacobi after QR, Demmel and Veselic, "Jacobi's method is more
// accurate than QR" (1992), in the parallel order of Brent and Luk (1985).
SVDResult SVD(XlaOp a, int64_t max_iter = 100, float epsilon = 1e-6,
              PrecisionConfig::Precision precision = PrecisionConfig::HIGHEST);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_SVD_H_
