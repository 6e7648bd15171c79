// Tridiagonal systems and products, in batches. Diagonals are [..., 1, n]; the
// first element of the lower one and the last of the upper one are not read.
// Errors of all functions: tridiagonal_c1 if shapes do not fit. Defined in
// builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_TRIDIAGONAL_H_
#define XLA_HLO_BUILDER_LIB_TRIDIAGONAL_H_

#include "absl/status/statusor.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace tridiagonal {

// The algorithms. kThomas does not pivot: it is for diagonally dominant or
// positive definite matrices. Source: Thomas's algorithm, Golub and Van Loan,
// section 4.3.6.
enum SolverAlgorithm { kThomas };

// Returns the solutions [..., k, n] for the right-hand sides [..., k, n], one
// per row.
absl::StatusOr<XlaOp> TridiagonalSolver(SolverAlgorithm algo,
                                        XlaOp lower_diagonal,
                                        XlaOp main_diagonal,
                                        XlaOp upper_diagonal, XlaOp rhs);
// `diagonals` [..., 3, n]: upper, main, lower.
absl::StatusOr<XlaOp> TridiagonalSolver(SolverAlgorithm algo, XlaOp diagonals,
                                        XlaOp rhs);

// Returns the matrix times `rhs` [..., n, k].
absl::StatusOr<XlaOp> TridiagonalMatMul(XlaOp upper_diagonal,
                                        XlaOp main_diagonal,
                                        XlaOp lower_diagonal, XlaOp rhs);

}  // namespace tridiagonal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_TRIDIAGONAL_H_
