// QR, one-sided Jacobi on R until its columns are orthogonal, and another QR of
// those, which completes the left vectors where singular values are 0.
#include "xla/hlo/builder/lib/svd.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/builder/lib/qr.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/linear/columns.h"
#include "xla/hlo/builder/linear/jacobi.h"
#include "xla/hlo/builder/linear/matrices.h"

namespace xla {
namespace {

using linear::MatrixShape;
using Values = std::vector<XlaOp>;

// pred[..., h]: whether a pair of columns is far from orthogonal: their cosine
// is above `tol`, and neither is lost in the rounding of the matrix's norm.
XlaOp FarFromOrthogonal(XlaOp alpha, XlaOp beta, XlaOp gamma, double tol,
                        double negligible) {
  XlaOp product = Mul(Sqrt(alpha), Sqrt(beta));
  XlaOp far = Gt(Abs(gamma), Mul(product, ScalarLike(product, tol)));
  // The matrix was scaled to a norm near 1.
  XlaOp least = Sqrt(Min(alpha, beta));
  return And(far, Gt(least, ScalarLike(least, negligible)));
}

struct Jacobi {
  const MatrixShape& shape;
  int64_t h;
  double tol;
  double negligible;
  int64_t max_iter;

  // Rotates all pairs once. Returns whether a pair was far from orthogonal, the
  // columns, the rotations so far.
  absl::StatusOr<Values> Sweep(XlaOp w, XlaOp v, XlaBuilder* builder) const {
    auto round = [this](XlaOp, absl::Span<const XlaOp> values,
                        XlaBuilder*) -> absl::StatusOr<Values> {
      XlaOp w = values[1];
      const int64_t last = shape.batch.size() + 1;
      XlaOp p = SliceInDim(w, 0, h, 1, last);
      XlaOp q = SliceInDim(w, h, 2 * h, 1, last);
      XlaOp alpha = linear::SumOfRows(linear::AbsSquare(p));
      XlaOp beta = linear::SumOfRows(linear::AbsSquare(q));
      XlaOp gamma = linear::SumOfRows(Mul(linear::Conjugate(p), q));
      XlaOp far = Any(FarFromOrthogonal(alpha, beta, gamma, tol, negligible));
      const linear::Rotations r =
          linear::MakeRotations(alpha, beta, gamma, shape);
      auto next = [&](XlaOp x) {
        return linear::NextPairs(linear::RotateColumns(x, r, shape), h, true);
      };
      return Values{Or(values[0], far), next(w), next(values[2])};
    };
    return ForEachIndex(2 * h - 1, S32, round,
                        {ConstantR0<bool>(builder, false), w, v}, "svd_sweep",
                        builder);
  }

  // Returns the orthogonal columns and the rotations.
  absl::StatusOr<Values> Run(XlaOp w, XlaOp v) const {
    auto sweep = [this](XlaOp w, XlaOp v, XlaBuilder* b) {
      return Sweep(w, v, b);
    };
    return linear::RepeatSweeps(w, v, max_iter, sweep, "svd");
  }
};

// Returns the SVD of square matrices [..., n, n], n > 0.
absl::StatusOr<SVDResult> OfSquare(XlaOp a, int64_t max_iter, double epsilon) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::MatrixShapeOf(a));
  const int64_t n = shape.n;
  const linear::Scaled scaled = linear::ScaleToOne(a, shape);
  a = scaled.a;
  // A column of zeros makes the number of columns even.
  const int64_t even = n + n % 2;
  const double eps = linear::EpsilonOf(shape);
  const double tol =
      std::max(std::min(epsilon, shape.real == F64 ? 1e-8 : 1e-4),
               8 * static_cast<double>(n) * eps);
  const Jacobi jacobi = {shape, even / 2, tol, static_cast<double>(n) * eps,
                         max_iter};
  XlaOp zero = Zero(builder, shape.type);
  TF_ASSIGN_OR_RETURN(
      Values out,
      jacobi.Run(
          PadInDim(a, zero, shape.batch.size() + 1, 0, even - n),
          InBatch(IdentityMatrix(builder, shape.type, even, even), shape)));
  XlaOp w = SliceInMinorDims(out[0], {0, 0}, {n, n});
  XlaOp v = SliceInMinorDims(out[1], {0, 0}, {n, n});
  XlaOp keys =
      linear::AsRows(linear::SumOfRows(linear::AbsSquare(w)), shape, n);
  XlaOp sorted = Sort(
      {keys, w, v},
      CreateScalarGtComputation({shape.real, shape.type, shape.type}, builder),
      shape.batch.size() + 1, /*is_stable=*/true);
  w = GetTupleElement(sorted, 1);
  v = GetTupleElement(sorted, 2);
  // The columns are orthogonal: R is diagonal except for rounding errors.
  XlaOp q, r;
  QrExplicit(w, /*full_matrices=*/true, q, r);
  XlaOp diagonal = GetMatrixDiagonal(r);
  XlaOp d = Abs(diagonal);
  XlaOp none = Eq(d, ZerosLike(d));
  XlaOp phase = Select(
      none, FullLike(diagonal, 1),
      Div(diagonal,
          ConvertElementType(Select(none, FullLike(d, 1), d), shape.type)));
  XlaOp u = Mul(q, linear::AsRows(phase, shape, n));
  return SVDResult{u, Mul(d, linear::Repeat(scaled.scale, n, shape)), v};
}

// Returns the SVD for m >= n.
absl::StatusOr<SVDResult> OfTall(XlaOp a, int64_t max_iter, double epsilon,
                                 PrecisionConfig::Precision precision) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::MatrixShapeOf(a));
  const auto [m, n] = std::pair(shape.m, shape.n);
  if (n == 0) {
    return SVDResult{InBatch(IdentityMatrix(builder, shape.type, m, m), shape),
                     Zeros(builder, shape.ShapeOf(shape.real, {0})),
                     Zeros(builder, shape.ShapeOf(shape.type, {0, 0}))};
  }
  XlaOp q, r;
  QrExplicit(a, /*full_matrices=*/true, q, r);
  r = SliceInMinorDims(r, {0, 0}, {n, n});
  TF_ASSIGN_OR_RETURN(SVDResult result, OfSquare(r, max_iter, epsilon));
  XlaOp left =
      BatchDot(SliceInMinorDims(q, {0, 0}, {m, n}), result.u, precision);
  XlaOp rest = SliceInMinorDims(q, {0, n}, {m, m});
  result.u = ConcatInDim(builder, {left, rest}, shape.batch.size() + 1);
  return result;
}

absl::StatusOr<SVDResult> SvdOf(XlaOp a, int64_t max_iter, double epsilon,
                                PrecisionConfig::Precision precision) {
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::NumericMatrixShapeOf(a));
  if (shape.m >= shape.n) return OfTall(a, max_iter, epsilon, precision);
  TF_ASSIGN_OR_RETURN(const SVDResult result,
                      OfTall(TransposeInMinorDims(linear::Conjugate(a)),
                             max_iter, epsilon, precision));
  return SVDResult{result.v, result.d, result.u};
}

}  // namespace

SVDResult SVD(XlaOp a, int64_t max_iter, float epsilon,
              PrecisionConfig::Precision precision) {
  absl::StatusOr<SVDResult> result = SvdOf(a, max_iter, epsilon, precision);
  if (result.ok()) return *result;
  XlaOp error = a.builder()->ReportError(result.status());
  return {error, error, error};
}

}  // namespace xla
