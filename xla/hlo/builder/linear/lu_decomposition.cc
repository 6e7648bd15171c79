// Gaussian elimination with partial pivoting, one column per iteration.
#include "xla/hlo/builder/lib/lu_decomposition.h"

#include <algorithm>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/linear/columns.h"
#include "xla/hlo/builder/linear/matrices.h"

namespace xla {
namespace {

using linear::MatrixShape;

// Returns |Re x| + |Im x|.
XlaOp PivotSize(XlaOp x, const MatrixShape& shape) {
  return shape.is_complex() ? Add(Abs(Real(x)), Abs(Imag(x))) : Abs(x);
}

// s32[...]: returns the index of the greatest element of `column` from k on.
XlaOp PivotPlace(XlaOp column, XlaOp k, const MatrixShape& shape) {
  XlaOp sizes = PivotSize(column, shape);
  XlaOp before = linear::IndexMask(shape.m, ComparisonDirection::kLt, k, shape);
  return ArgMax(Select(before, FullLike(sizes, -1), sizes), S32,
                shape.batch.size());
}

// s32[...] -> pred[..., n]: true where the index is `place`.
XlaOp AtPlace(XlaOp place, int64_t n, const MatrixShape& shape) {
  return Eq(InBatch(Iota(place.builder(), S32, n), shape),
            linear::Repeat(place, n, shape));
}

absl::StatusOr<std::vector<XlaOp>> Step(XlaOp k, absl::Span<const XlaOp> values,
                                        const MatrixShape& shape) {
  XlaOp a = values[0];
  XlaOp place = PivotPlace(linear::ColumnAt(a, k, shape), k, shape);
  XlaOp at_k = linear::IndexMask(shape.m, ComparisonDirection::kEq, k, shape);
  XlaOp at_pivot = AtPlace(place, shape.m, shape);
  // Swap rows k and `place`.
  XlaOp rows_k = linear::AsColumns(at_k, shape, shape.n);
  XlaOp rows_pivot = linear::AsColumns(at_pivot, shape, shape.n);
  XlaOp row_k = linear::RowAt(a, k, shape);
  XlaOp row_pivot = linear::SumOfRows(Select(rows_pivot, a, ZerosLike(a)));
  a = Select(rows_k, linear::AsRows(row_pivot, shape, shape.m),
             Select(rows_pivot, linear::AsRows(row_k, shape, shape.m), a));
  // A pivot of 0 means that the column is 0 from there on.
  XlaOp pivot = linear::SumWhere(
      linear::IndexMask(shape.n, ComparisonDirection::kEq, k, shape),
      row_pivot);
  pivot = Select(Eq(pivot, ZerosLike(pivot)), FullLike(pivot, 1), pivot);
  XlaOp column = linear::ColumnAt(a, k, shape);
  XlaOp below = linear::IndexMask(shape.m, ComparisonDirection::kGt, k, shape);
  XlaOp factors =
      Select(below, Div(column, linear::Repeat(pivot, shape.m, shape)),
             ZerosLike(column));
  XlaOp later = linear::IndexMask(shape.n, ComparisonDirection::kGt, k, shape);
  XlaOp row = Select(later, row_pivot, ZerosLike(row_pivot));
  a = Sub(a, Mul(linear::AsColumns(factors, shape, shape.n),
                 linear::AsRows(row, shape, shape.m)));
  XlaOp here = linear::IndexMask(shape.n, ComparisonDirection::kEq, k, shape);
  a = Select(And(linear::AsRows(here, shape, shape.m),
                 linear::AsColumns(below, shape, shape.n)),
             linear::AsColumns(factors, shape, shape.n), a);

  const int64_t steps = std::min(shape.m, shape.n);
  XlaOp pivots =
      Select(linear::IndexMask(steps, ComparisonDirection::kEq, k, shape),
             linear::Repeat(place, steps, shape), values[1]);
  XlaOp permutation = values[2];
  XlaOp number_k = linear::SumWhere(at_k, permutation);
  XlaOp number_pivot = linear::SumWhere(at_pivot, permutation);
  permutation = Select(
      at_k, linear::Repeat(number_pivot, shape.m, shape),
      Select(at_pivot, linear::Repeat(number_k, shape.m, shape), permutation));
  return std::vector<XlaOp>{a, pivots, permutation};
}

absl::StatusOr<LuDecompositionResult> LuOf(XlaOp a) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::NumericMatrixShapeOf(a));
  const int64_t steps = std::min(shape.m, shape.n);
  auto step = [&](XlaOp k, absl::Span<const XlaOp> values, XlaBuilder*) {
    return Step(k, values, shape);
  };
  XlaOp pivots = Zeros(builder, shape.ShapeOf(S32, {steps}));
  XlaOp permutation = InBatch(Iota(builder, S32, shape.m), shape);
  TF_ASSIGN_OR_RETURN(
      const std::vector<XlaOp> out,
      ForEachIndex(steps, S32, step, {a, pivots, permutation}, "lu", builder));
  return LuDecompositionResult{out[0], out[1], out[2]};
}

}  // namespace

LuDecompositionResult LuDecomposition(XlaOp a) {
  absl::StatusOr<LuDecompositionResult> result = LuOf(a);
  if (result.ok()) return *result;
  XlaOp error = a.builder()->ReportError(result.status());
  return {error, error, error};
}

}  // namespace xla
