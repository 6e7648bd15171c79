// Rotates halves of matrices and steps through the round-robin order.
#include "xla/hlo/builder/linear/jacobi.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/linear/columns.h"

namespace xla::linear {
namespace {

struct Pair {
  XlaOp first;
  XlaOp second;
};

Pair Halves(XlaOp x, int64_t dimension, int64_t h) {
  return {SliceInDim(x, 0, h, 1, dimension),
          SliceInDim(x, h, 2 * h, 1, dimension)};
}

}  // namespace

Rotations MakeRotations(XlaOp alpha, XlaOp beta, XlaOp gamma,
                        const MatrixShape& shape) {
  XlaOp size = Abs(gamma);
  XlaOp zero = ZerosLike(size);
  XlaOp one = FullLike(size, 1);
  XlaOp none = Eq(size, zero);
  XlaOp safe = Select(none, one, size);
  // The smaller root t of t^2 + 2 theta t - 1 = 0.
  XlaOp theta = Div(Sub(beta, alpha), Add(safe, safe));
  XlaOp tangent = Reciprocal(Add(Abs(theta), Sqrt(Add(Square(theta), one))));
  tangent = Select(Lt(theta, zero), Neg(tangent), tangent);
  tangent = Select(none, zero, tangent);
  XlaOp cosine = Rsqrt(Add(Square(tangent), one));
  XlaOp c = ConvertElementType(cosine, shape.type);
  XlaOp s = ConvertElementType(Mul(tangent, cosine), shape.type);
  XlaOp phase = Select(none, ConvertElementType(one, shape.type),
                       Div(gamma, ConvertElementType(safe, shape.type)));
  return {c, s, Mul(s, phase), Mul(c, phase)};
}

XlaOp RotateColumns(XlaOp x, const Rotations& r, const MatrixShape& shape) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape now, MatrixShapeOf(x));
    const int64_t last = shape.batch.size() + 1;
    const Pair p = Halves(x, last, now.n / 2);
    auto each = [&](XlaOp v) { return AsRows(v, shape, now.m); };
    XlaOp first =
        Sub(Mul(p.first, each(r.c)), Mul(p.second, each(Conjugate(r.t))));
    XlaOp second =
        Add(Mul(p.first, each(r.s)), Mul(p.second, each(Conjugate(r.u))));
    return ConcatInDim(builder, {first, second}, last);
  });
}

XlaOp RotateRows(XlaOp x, const Rotations& r, const MatrixShape& shape) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape now, MatrixShapeOf(x));
    const int64_t dimension = shape.batch.size();
    const Pair p = Halves(x, dimension, now.m / 2);
    auto each = [&](XlaOp v) { return AsColumns(v, shape, now.n); };
    XlaOp first = Sub(Mul(p.first, each(r.c)), Mul(p.second, each(r.t)));
    XlaOp second = Add(Mul(p.first, each(r.s)), Mul(p.second, each(r.u)));
    return ConcatInDim(builder, {first, second}, dimension);
  });
}

XlaOp NextPairs(XlaOp x, int64_t h, bool columns) {
  if (h == 1) return x;
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    const int64_t dimension = shape.rank() - (columns ? 1 : 2);
    auto part = [&](int64_t begin, int64_t end) {
      return SliceInDim(x, begin, end, 1, dimension);
    };
    // 0 stays; the others move on around the table.
    return ConcatInDim(builder,
                       {part(0, 1), part(h, h + 1), part(1, h - 1),
                        part(h + 1, 2 * h), part(h - 1, h)},
                       dimension);
  });
}

absl::StatusOr<std::vector<XlaOp>> RepeatSweeps(XlaOp w, XlaOp v,
                                                int64_t max_sweeps,
                                                const SweepFunction& sweep,
                                                absl::string_view name) {
  using Values = std::vector<XlaOp>;
  XlaBuilder* builder = w.builder();
  // State: sweeps, whether another one is needed, the matrix, the rotations.
  auto more = [&](absl::Span<const XlaOp> values,
                  XlaBuilder* b) -> absl::StatusOr<XlaOp> {
    return And(Lt(values[0], ConstantR0<int64_t>(b, max_sweeps)), values[1]);
  };
  auto step = [&](absl::Span<const XlaOp> values,
                  XlaBuilder* b) -> absl::StatusOr<Values> {
    TF_ASSIGN_OR_RETURN(Values next, sweep(values[2], values[3], b));
    next.insert(next.begin(), Add(values[0], ScalarLike(values[0], 1)));
    return next;
  };
  TF_ASSIGN_OR_RETURN(const Values out,
                      WhileLoopHelper(more, step,
                                      {ConstantR0<int64_t>(builder, 0),
                                       ConstantR0<bool>(builder, true), w, v},
                                      name, builder));
  return Values{out[2], out[3]};
}

Scaled ScaleToOne(XlaOp a, const MatrixShape& shape) {
  const int64_t n = shape.n;
  XlaOp scale = GreatestSize(Reshape(a, shape.With({n * n})));
  scale = Select(Gt(scale, ZerosLike(scale)), scale, FullLike(scale, 1));
  XlaOp divisor = Repeat(ConvertElementType(scale, shape.type), n, shape);
  return {Div(a, AsColumns(divisor, shape, n)), scale};
}

}  // namespace xla::linear
