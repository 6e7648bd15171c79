// Thomas's algorithm as two loops over the equations, and the product.
#include "xla/hlo/builder/lib/tridiagonal.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::tridiagonal {
namespace {

using linear::MatrixShape;
using Values = std::vector<XlaOp>;

// tridiagonal_c1: `x` has the batch and type of `like`, and the sizes m, n.
absl::Status CheckOperand(absl::string_view what, XlaOp x,
                          const MatrixShape& like, int64_t m, int64_t n) {
  TF_ASSIGN_OR_RETURN(const Shape shape, x.builder()->GetShape(x));
  const Shape expected = like.ShapeOf(like.type, {m, n});
  if (ShapeUtil::Compatible(shape, expected)) return absl::OkStatus();
  if (shape.IsArray() && shape.rank() != expected.rank()) {
    return RuleError("tridiagonal_c1",
                     absl::StrCat(what, " must have same rank as rhs, but got ",
                                  shape.rank(), " and ", expected.rank()));
  }
  return RuleError(
      "tridiagonal_c1",
      absl::StrCat(what, " must be ", ShapeUtil::HumanString(expected),
                   ", got ", ShapeUtil::HumanString(shape)));
}

// Returns `x` [..., 1, n] with a zero at position i.
XlaOp ClearAt(XlaOp x, int64_t i, const MatrixShape& shape, int64_t n) {
  XlaBuilder* builder = x.builder();
  XlaOp mask = Eq(Iota(builder, ShapeUtil::MakeShape(S32, {1, n}), 1),
                  ConstantR0<int32_t>(builder, i));
  return Select(InBatch(mask, shape), ZerosLike(x), x);
}

XlaOp At(XlaOp x, XlaOp i) { return DynamicSliceInMinorDims(x, {i}, {1}); }

XlaOp Put(XlaOp x, XlaOp i, XlaOp value) {
  return DynamicUpdateSliceInMinorDims(x, value, {i});
}

// [..., 1, 1] or [..., 1, n] -> [..., k, 1] or [..., k, n].
XlaOp ForEachRow(XlaOp x, const MatrixShape& shape, int64_t k, int64_t n) {
  return linear::AsRows(Reshape(x, shape.With({n})), shape, k);
}

// Eliminates, so that equation i becomes x(i) + c(i) x(i + 1) = d(i).
absl::StatusOr<Values> Eliminate(XlaOp lower, XlaOp main, XlaOp upper,
                                 XlaOp rhs, const MatrixShape& shape) {
  const int64_t k = shape.m;
  // State: the diagonals, right-hand sides, c, d, and the previous c and d.
  auto step = [&](XlaOp i, absl::Span<const XlaOp> v,
                  XlaBuilder*) -> absl::StatusOr<Values> {
    XlaOp low = At(v[0], i);
    XlaOp inverse = Reciprocal(Sub(At(v[1], i), Mul(low, v[6])));
    XlaOp c = Mul(At(v[2], i), inverse);
    XlaOp d = Mul(Sub(At(v[3], i), Mul(ForEachRow(low, shape, k, 1), v[7])),
                  ForEachRow(inverse, shape, k, 1));
    return Values{v[0], v[1], v[2], v[3], Put(v[4], i, c), Put(v[5], i, d),
                  c,    d};
  };
  XlaBuilder* builder = rhs.builder();
  XlaOp no_c = Zeros(builder, shape.ShapeOf(shape.type, {1, 1}));
  XlaOp no_d = Zeros(builder, shape.ShapeOf(shape.type, {k, 1}));
  TF_ASSIGN_OR_RETURN(const Values out,
                      ForEachIndex(shape.n, S32, step,
                                   {lower, main, upper, rhs, ZerosLike(upper),
                                    ZerosLike(rhs), no_c, no_d},
                                   "tridiagonal_eliminate", builder));
  return Values{out[4], out[5]};
}

absl::StatusOr<XlaOp> Substitute(XlaOp c, XlaOp d, const MatrixShape& shape) {
  const int64_t k = shape.m;
  // State: c, d, x, and the next x.
  auto step = [&](XlaOp j, absl::Span<const XlaOp> v,
                  XlaBuilder*) -> absl::StatusOr<Values> {
    XlaOp i = Sub(ScalarLike(j, shape.n - 1), j);
    XlaOp x = Sub(At(v[1], i), Mul(ForEachRow(At(v[0], i), shape, k, 1), v[3]));
    return Values{v[0], v[1], Put(v[2], i, x), x};
  };
  XlaBuilder* builder = d.builder();
  XlaOp after = Zeros(builder, shape.ShapeOf(shape.type, {k, 1}));
  TF_ASSIGN_OR_RETURN(
      const Values out,
      ForEachIndex(shape.n, S32, step, {c, d, ZerosLike(d), after},
                   "tridiagonal_substitute", builder));
  return out[2];
}

}  // namespace

absl::StatusOr<XlaOp> TridiagonalSolver(SolverAlgorithm algo,
                                        XlaOp lower_diagonal,
                                        XlaOp main_diagonal,
                                        XlaOp upper_diagonal, XlaOp rhs) {
  if (algo != kThomas) {
    return absl::UnimplementedError(absl::StrCat(
        "TridiagonalSolver with algorithm ", static_cast<int>(algo)));
  }
  TF_ASSIGN_OR_RETURN(const MatrixShape shape,
                      linear::NumericMatrixShapeOf(rhs));
  const int64_t n = shape.n;
  TF_RETURN_IF_ERROR(
      CheckOperand("the lower diagonal", lower_diagonal, shape, 1, n));
  TF_RETURN_IF_ERROR(
      CheckOperand("the main diagonal", main_diagonal, shape, 1, n));
  TF_RETURN_IF_ERROR(
      CheckOperand("the upper diagonal", upper_diagonal, shape, 1, n));
  if (n == 0) return rhs;
  TF_ASSIGN_OR_RETURN(
      const Values reduced,
      Eliminate(ClearAt(lower_diagonal, 0, shape, n), main_diagonal,
                ClearAt(upper_diagonal, n - 1, shape, n), rhs, shape));
  return Substitute(reduced[0], reduced[1], shape);
}

absl::StatusOr<XlaOp> TridiagonalSolver(SolverAlgorithm algo, XlaOp diagonals,
                                        XlaOp rhs) {
  TF_ASSIGN_OR_RETURN(const MatrixShape shape,
                      linear::NumericMatrixShapeOf(rhs));
  const int64_t n = shape.n;
  TF_RETURN_IF_ERROR(CheckOperand("the diagonals", diagonals, shape, 3, n));
  auto row = [&](int64_t i) {
    return SliceInMinorDims(diagonals, {i, 0}, {i + 1, n});
  };
  return TridiagonalSolver(algo, row(2), row(1), row(0), rhs);
}

absl::StatusOr<XlaOp> TridiagonalMatMul(XlaOp upper_diagonal,
                                        XlaOp main_diagonal,
                                        XlaOp lower_diagonal, XlaOp rhs) {
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::MatrixShapeOf(rhs));
  const auto [n, k] = std::pair(shape.m, shape.n);
  TF_RETURN_IF_ERROR(CheckOperand("superdiag", upper_diagonal, shape, 1, n));
  TF_RETURN_IF_ERROR(CheckOperand("maindiag", main_diagonal, shape, 1, n));
  TF_RETURN_IF_ERROR(CheckOperand("subdiag", lower_diagonal, shape, 1, n));
  if (n == 0) return rhs;
  XlaOp zero = Zero(rhs.builder(), shape.type);
  const int64_t rows = shape.batch.size();
  // Row i: lower(i) x(i - 1) + main(i) x(i) + upper(i) x(i + 1).
  auto scaled = [&](XlaOp diagonal, XlaOp x) {
    return Mul(linear::AsColumns(Reshape(diagonal, shape.With({n})), shape, k),
               x);
  };
  XlaOp before = PadInDim(rhs, zero, rows, 1, -1);
  XlaOp after = PadInDim(rhs, zero, rows, -1, 1);
  return Add(scaled(main_diagonal, rhs),
             Add(scaled(ClearAt(lower_diagonal, 0, shape, n), before),
                 scaled(ClearAt(upper_diagonal, n - 1, shape, n), after)));
}

}  // namespace xla::tridiagonal
