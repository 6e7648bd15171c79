// The regularized incomplete beta function: the continued fraction of Press et
// al., "Numerical recipes", section 6.4 (DLMF 8.17.22), where it converges
// fast, else that of the reflected arguments; its leading factor in the form of
// Loader, "Fast and accurate computation of binomial probabilities" (2000).
#include <numbers>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/special/gamma.h"
#include "xla/hlo/builder/special/series.h"

namespace xla {
namespace special {
namespace {

// The most iterations, so that the loop ends for any arguments.
constexpr int kMaxBetaSteps = 10000;

// Returns 1 / (1 + d1 / (1 + d2 / (1 + ..., two steps of Lentz's algorithm per
// iteration.
absl::StatusOr<XlaOp> ContinuedFraction(XlaOp a, XlaOp b, XlaOp x) {
  XlaBuilder* builder = a.builder();
  // State: step, a, b, x, C, D, F, the last factor.
  auto more = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<XlaOp> {
    XlaOp change = Abs(Sub(v[7], Real(v[7], 1)));
    return And(Lt(v[0], ScalarLike(v[0], kMaxBetaSteps)),
               Any(Gt(change, Real(change, EpsilonLike(change)))));
  };
  auto step = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    XlaOp number = Add(v[0], ScalarLike(v[0], 1));
    XlaOp a = v[1], b = v[2], x = v[3];
    XlaOp one = Real(a, 1);
    XlaOp m = ConvertElementType(number, constants_internal::TypeLike(a));
    XlaOp a_2m = Add(a, Add(m, m));
    // d(2m) = m (b - m) x / ((a + 2m - 1) (a + 2m)). Divide first, since
    // products of large numbers could overflow.
    XlaOp even = Mul(Mul(Div(m, Sub(a_2m, one)), Div(Sub(b, m), a_2m)), x);
    // d(2m + 1) = -(a + m) (a + b + m) x / ((a + 2m) (a + 2m + 1)).
    XlaOp odd = Neg(Mul(
        Mul(Div(Add(a, m), a_2m), Div(Add(Add(a, b), m), Add(a_2m, one))), x));
    XlaOp c = Add(Div(even, v[4]), one);
    XlaOp d = Reciprocal(Add(Mul(even, v[5]), one));
    XlaOp f = Mul(v[6], Mul(c, d));
    c = Add(Div(odd, c), one);
    d = Reciprocal(Add(Mul(odd, d), one));
    XlaOp factor = Mul(c, d);
    return std::vector<XlaOp>{number, a, b, x, c, d, Mul(f, factor), factor};
  };
  XlaOp one = FullLike(a, 1);
  XlaOp first = Mul(Div(Add(a, b), Add(a, one)), x);
  XlaOp d = Reciprocal(Sub(one, first));
  TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> out,
                      WhileLoopHelper(more, step,
                                      {ConstantR0<int32_t>(builder, 0), a, b, x,
                                       one, d, d, ZerosLike(a)},
                                      "incomplete_beta", builder));
  return out[6];
}

absl::StatusOr<XlaOp> IncompleteBeta(XlaOp a, XlaOp b, XlaOp x) {
  XlaOp zero = Real(x, 0);
  XlaOp one = FullLike(x, 1);
  XlaOp infinity = InfinityLike(x);
  XlaOp valid =
      And(And(Gt(a, zero), Lt(a, infinity)), And(Gt(b, zero), Lt(b, infinity)),
          And(Ge(x, zero), Le(x, one)));
  XlaOp inside = And(valid, Gt(x, zero), Lt(x, one));
  // Replace arguments outside by harmless ones.
  XlaOp p = Select(inside, a, one);
  XlaOp q = Select(inside, b, one);
  XlaOp y = Select(inside, x, FullLike(x, 0.5));
  XlaOp reflect = Gt(y, Div(Add(p, one), Add(Add(p, q), Real(x, 2))));
  XlaOp rest = Sub(one, y);
  XlaOp a1 = Select(reflect, q, p);
  XlaOp b1 = Select(reflect, p, q);
  XlaOp x1 = Select(reflect, rest, y);
  XlaOp y1 = Select(reflect, y, rest);
  TF_ASSIGN_OR_RETURN(XlaOp fraction, ContinuedFraction(a1, b1, x1));
  // x^a (1 - x)^b / (a B(a, b)).
  XlaOp n = Add(a1, b1);
  XlaOp exponent = Sub(Sub(StirlingError(n), StirlingError(a1)),
                       Add(StirlingError(b1), Add(Deviance(a1, Mul(n, x1)),
                                                  Deviance(b1, Mul(n, y1)))));
  XlaOp factor =
      Mul(Exp(exponent),
          Sqrt(Div(Div(b1, n), Mul(Real(x, 2 * std::numbers::pi), a1))));
  XlaOp part = Mul(factor, fraction);
  XlaOp result = Select(reflect, Sub(one, part), part);
  return Select(valid, Select(inside, result, x), NanLike(x));
}

}  // namespace
}  // namespace special

XlaOp RegularizedIncompleteBeta(XlaOp a, XlaOp b, XlaOp x) {
  return special::Apply(
      "RegularizedIncompleteBeta", {a, b, x}, [](absl::Span<const XlaOp> args) {
        return special::IncompleteBeta(args[0], args[1], args[2]);
      });
}

}  // namespace xla
