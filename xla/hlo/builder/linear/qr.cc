// Householder's QR, one column per iteration.
#include "xla/hlo/builder/lib/qr.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/linear/columns.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using linear::MatrixShape;

// H = 1 - tau v v^H with H^H x = beta e, where e is 1 at the position `at` of x
// [..., m], and x is taken at that position and at those of `below`, and 0
// elsewhere.
struct Reflector {
  XlaOp v;     // 1 at `at`, 0 before
  XlaOp tau;   // [...]
  XlaOp beta;  // [...], real numbers in the type of x
};

Reflector MakeReflector(XlaOp x, XlaOp at, XlaOp below,
                        const MatrixShape& shape) {
  XlaOp zeros = ZerosLike(x);
  XlaOp alpha = linear::SumWhere(at, x);
  XlaOp tail = Select(below, x, zeros);
  // Scale, so that squares neither overflow nor underflow.
  XlaOp scale = linear::GreatestSize(Select(Or(at, below), x, zeros));
  scale = Select(Gt(scale, ZerosLike(scale)), scale, FullLike(scale, 1));
  XlaOp wide_scale = ConvertElementType(scale, shape.type);
  XlaOp tail_square = linear::SumOfColumns(
      linear::AbsSquare(Div(tail, linear::Repeat(wide_scale, shape.m, shape))));
  XlaOp norm = Mul(
      scale, Sqrt(Add(tail_square, linear::AbsSquare(Div(alpha, wide_scale)))));
  XlaOp real_alpha = linear::RealPart(alpha);
  XlaOp beta = Select(Ge(real_alpha, ZerosLike(real_alpha)), Neg(norm), norm);
  XlaOp wide_beta = ConvertElementType(beta, shape.type);
  // There is nothing to reflect: H = 1.
  XlaOp done = And(Eq(tail_square, ZerosLike(tail_square)),
                   Eq(ConvertElementType(real_alpha, shape.type), alpha));
  XlaOp one = FullLike(alpha, 1);
  XlaOp tau = Select(done, ZerosLike(alpha),
                     Div(Sub(wide_beta, alpha), Select(done, one, wide_beta)));
  XlaOp divisor = Select(done, one, Sub(alpha, wide_beta));
  XlaOp v = Div(tail, linear::Repeat(divisor, shape.m, shape));
  return {Select(at, FullLike(v, 1), v), tau, Select(done, alpha, wide_beta)};
}

// Returns factor v (v^H x) for v [..., m], x [..., m, n] and factor [...], only
// in the columns of `mask` [..., n] if there is one.
XlaOp Reflected(XlaOp v, XlaOp factor, XlaOp x, const XlaOp* mask,
                const MatrixShape& shape) {
  XlaOp columns = linear::AsColumns(v, shape, shape.n);
  XlaOp products = linear::SumOfRows(Mul(linear::Conjugate(columns), x));
  products = Mul(products, linear::Repeat(factor, shape.n, shape));
  if (mask != nullptr) products = Select(*mask, products, ZerosLike(products));
  return Mul(columns, linear::AsRows(products, shape, shape.m));
}

absl::StatusOr<QrDecomposition> QrOf(XlaOp a) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::NumericMatrixShapeOf(a));
  const int64_t steps = std::min(shape.m, shape.n);
  auto step = [&](XlaOp j, absl::Span<const XlaOp> values,
                  XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    XlaOp x = linear::ColumnAt(values[0], j, shape);
    XlaOp at = linear::IndexMask(shape.m, ComparisonDirection::kEq, j, shape);
    XlaOp below =
        linear::IndexMask(shape.m, ComparisonDirection::kGt, j, shape);
    const Reflector h = MakeReflector(x, at, below, shape);
    // Earlier columns already hold their vectors.
    XlaOp later =
        linear::IndexMask(shape.n, ComparisonDirection::kGt, j, shape);
    XlaOp next = Sub(values[0], Reflected(h.v, linear::Conjugate(h.tau),
                                          values[0], &later, shape));
    XlaOp column = Select(
        below, h.v, Select(at, linear::Repeat(h.beta, shape.m, shape), x));
    XlaOp here = linear::IndexMask(shape.n, ComparisonDirection::kEq, j, shape);
    next = Select(linear::AsRows(here, shape, shape.m),
                  linear::AsColumns(column, shape, shape.n), next);
    XlaOp place = linear::IndexMask(std::min(shape.m, shape.n),
                                    ComparisonDirection::kEq, j, shape);
    XlaOp taus =
        Select(place, linear::Repeat(h.tau, std::min(shape.m, shape.n), shape),
               values[1]);
    return std::vector<XlaOp>{next, taus};
  };
  XlaOp taus = Zeros(builder, shape.ShapeOf(shape.type, {steps}));
  TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> out,
                      ForEachIndex(steps, S32, step, {a, taus}, "qr", builder));
  return QrDecomposition{out[0], out[1]};
}

absl::StatusOr<XlaOp> Product(XlaOp a, XlaOp taus) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::NumericMatrixShapeOf(a));
  TF_ASSIGN_OR_RETURN(const Shape taus_shape, builder->GetShape(taus));
  const int64_t count =
      taus_shape.rank() == 0 ? 0 : taus_shape.dimensions().back();
  if (shape.n > shape.m || count > shape.n ||
      !ShapeUtil::Compatible(taus_shape, shape.ShapeOf(shape.type, {count}))) {
    // householder_c1: [..., m, n] and [..., k] with k <= n <= m.
    return RuleError(
        "householder_c1",
        absl::StrCat("vectors of ", shape.m, " x ", shape.n, " and factors ",
                     ShapeUtil::HumanString(taus_shape)));
  }
  auto step = [&](XlaOp i, absl::Span<const XlaOp> values,
                  XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    // Multiply from the last to the first.
    XlaOp j = Sub(ScalarLike(i, count - 1), i);
    XlaOp v = linear::ColumnAt(values[1], j, shape);
    v = Select(linear::IndexMask(shape.m, ComparisonDirection::kGt, j, shape),
               v, ZerosLike(v));
    v = Select(linear::IndexMask(shape.m, ComparisonDirection::kEq, j, shape),
               FullLike(v, 1), v);
    XlaOp tau = linear::SumWhere(
        linear::IndexMask(count, ComparisonDirection::kEq, j, shape),
        values[2]);
    return std::vector<XlaOp>{
        Sub(values[0], Reflected(v, tau, values[0], nullptr, shape)), values[1],
        values[2]};
  };
  XlaOp identity =
      InBatch(IdentityMatrix(builder, shape.type, shape.m, shape.n), shape);
  TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> out,
                      ForEachIndex(count, S32, step, {identity, a, taus},
                                   "householder", builder));
  return out[0];
}

}  // namespace

QrDecomposition Qr(XlaOp a) {
  absl::StatusOr<QrDecomposition> result = QrOf(a);
  if (result.ok()) return *result;
  XlaOp error = a.builder()->ReportError(result.status());
  return {error, error};
}

XlaOp ProductOfElementaryHouseholderReflectors(XlaOp a, XlaOp taus) {
  return a.builder()->ReportErrorOrReturn([&] { return Product(a, taus); });
}

void QrExplicit(XlaOp a, bool full_matrices, XlaOp& q, XlaOp& r) {
  XlaBuilder* builder = a.builder();
  absl::StatusOr<MatrixShape> shape = linear::NumericMatrixShapeOf(a);
  if (!shape.ok()) {
    q = r = builder->ReportError(shape.status());
    return;
  }
  const auto [m, n] = std::pair(shape->m, shape->n);
  const QrDecomposition qr = Qr(a);
  r = UpperTriangle(qr.q_and_r);
  XlaOp vectors = qr.q_and_r;
  if (m <= n) {
    vectors = SliceInMinorDims(vectors, {0, 0}, {m, m});
  } else if (full_matrices) {
    vectors = PadInDim(vectors, Zero(builder, shape->type),
                       shape->batch.size() + 1, 0, m - n);
  } else {
    r = SliceInMinorDims(r, {0, 0}, {n, n});
  }
  q = ProductOfElementaryHouseholderReflectors(vectors, qr.taus);
}

}  // namespace xla
