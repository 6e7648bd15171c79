// Two-sided Jacobi: each sweep rotates all pairs of rows and columns.
#include "xla/hlo/builder/lib/self_adjoint_eig.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/linear/columns.h"
#include "xla/hlo/builder/linear/jacobi.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using linear::MatrixShape;
using Values = std::vector<XlaOp>;

// [...]: true if the norm of the off-diagonal elements exceeds `tol` times the
// norm of the matrix.
XlaOp FarFromDiagonal(XlaOp a, double tol) {
  XlaOp squares = linear::AbsSquare(a);
  auto sum = [](XlaOp x) { return linear::SumOfColumns(linear::SumOfRows(x)); };
  XlaOp off =
      sum(Select(GetDiagonalMask(squares), ZerosLike(squares), squares));
  XlaOp all = sum(squares);
  return Gt(off, Mul(all, ScalarLike(all, tol * tol)));
}

// Rotates all pairs once. Returns the matrix and the vectors.
absl::StatusOr<Values> Sweep(XlaOp a, XlaOp v, int64_t h,
                             const MatrixShape& shape, XlaBuilder* builder) {
  auto round = [&](XlaOp, absl::Span<const XlaOp> values,
                   XlaBuilder*) -> absl::StatusOr<Values> {
    XlaOp a = values[0];
    auto diagonal = [&](int64_t row, int64_t column) {
      return GetMatrixDiagonal(
          SliceInMinorDims(a, {row, column}, {row + h, column + h}));
    };
    const linear::Rotations r = linear::MakeRotations(
        linear::RealPart(diagonal(0, 0)), linear::RealPart(diagonal(h, h)),
        diagonal(0, h), shape);
    a = linear::RotateRows(linear::RotateColumns(a, r, shape), r, shape);
    a = linear::NextPairs(linear::NextPairs(a, h, false), h, true);
    XlaOp v = linear::RotateColumns(values[1], r, shape);
    return Values{a, linear::NextPairs(v, h, true)};
  };
  return ForEachIndex(2 * h - 1, S32, round, {a, v}, "jacobi_sweep", builder);
}

// Diagonalizes `a`, which is Hermitian of size 2h.
absl::StatusOr<Values> Diagonalize(XlaOp a, XlaOp v, int64_t h, double tol,
                                   int64_t max_iter, const MatrixShape& shape) {
  auto sweep = [&](XlaOp w, XlaOp v, XlaBuilder* b) -> absl::StatusOr<Values> {
    XlaOp far = Any(FarFromDiagonal(w, tol));
    TF_ASSIGN_OR_RETURN(const Values next, Sweep(w, v, h, shape, b));
    return Values{far, next[0], next[1]};
  };
  return linear::RepeatSweeps(a, v, max_iter, sweep, "self_adjoint_eig");
}

// Pads with zeros to an even size; zero rows and columns never rotate with
// others.
XlaOp PadToEven(XlaOp x, const MatrixShape& shape) {
  const int64_t more = shape.n % 2;
  XlaOp zero = Zero(x.builder(), shape.type);
  const int64_t rank = shape.batch.size();
  return PadInDim(PadInDim(x, zero, rank, 0, more), zero, rank + 1, 0, more);
}

absl::StatusOr<SelfAdjointEigResult> EigenOf(XlaOp a, bool lower,
                                             int64_t max_iter, float tol,
                                             bool sort) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::NumericMatrixShapeOf(a));
  if (shape.m != shape.n) {
    return RuleError("matrix_c2", absl::StrCat("no eigenvalues of ", shape.m,
                                               " x ", shape.n, " matrices"));
  }
  a = Symmetrize(a, lower);
  const int64_t n = shape.n;
  if (n == 0) {
    return SelfAdjointEigResult{a, linear::RealPart(linear::SumOfRows(a))};
  }
  const linear::Scaled scaled = linear::ScaleToOne(a, shape);
  a = scaled.a;
  const int64_t even = n + n % 2;
  XlaOp v = InBatch(IdentityMatrix(builder, shape.type, even, even), shape);
  // After the last sweep, which squares it, this is below the type's precision.
  const double enough = shape.real == F64 ? 1e-8 : 1e-4;
  TF_ASSIGN_OR_RETURN(
      const Values out,
      Diagonalize(PadToEven(a, shape), v, even / 2,
                  std::min<double>(tol, enough), max_iter, shape));
  XlaOp w = linear::RealPart(
      GetMatrixDiagonal(SliceInMinorDims(out[0], {0, 0}, {n, n})));
  w = Mul(w, linear::Repeat(scaled.scale, n, shape));
  v = SliceInMinorDims(out[1], {0, 0}, {n, n});
  if (!sort) return SelfAdjointEigResult{v, w};
  // Sort each row of vectors with the values as keys.
  XlaOp sorted =
      Sort({linear::AsRows(w, shape, n), v},
           CreateScalarLtComputation({shape.real, shape.type}, builder),
           shape.batch.size() + 1, /*is_stable=*/true);
  w = Reshape(SliceInMinorDims(GetTupleElement(sorted, 0), {0, 0}, {1, n}),
              shape.With({n}));
  return SelfAdjointEigResult{GetTupleElement(sorted, 1), w};
}

}  // namespace

SelfAdjointEigResult SelfAdjointEig(XlaOp a, bool lower, int64_t max_iter,
                                    float tol, bool sort_eigenvalues) {
  absl::StatusOr<SelfAdjointEigResult> result =
      EigenOf(a, lower, max_iter, tol, sort_eigenvalues);
  if (result.ok()) return *result;
  XlaOp error = a.builder()->ReportError(result.status());
  return {error, error};
}

}  // namespace xla
