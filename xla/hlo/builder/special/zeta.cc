// Hurwitz's zeta function and what follows from it: terms up to q + k >= 10,
// then the Euler-Maclaurin formula (DLMF 25.11.7). Polygamma by DLMF 25.11.12.
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/special/series.h"

namespace xla {
namespace special {
namespace {

// B(2k) / (2k)!, k = 1 to 12.
constexpr double kBernoulli[] = {
    8.3333333333333333e-2,   -1.3888888888888889e-3,  3.3068783068783069e-5,
    -8.2671957671957672e-7,  2.0876756987868099e-8,   -5.2841901386874932e-10,
    1.3382536530684679e-11,  -3.3896802963225829e-13, 8.5860620562778446e-15,
    -2.1748686985580619e-16, 5.5090028283602295e-18,  -1.3954464685812523e-19};
// The number of terms that are summed before the Euler-Maclaurin formula, which
// is then accurate enough in F64.
constexpr int kTerms = 10;

// The sum of the terms for q, q + 1, ... below 0, and the first q that is not.
struct Shifted {
  XlaOp q;
  XlaOp sum;
};

// Takes at most 1000 steps: below q = -1000 the result is less accurate.
absl::StatusOr<Shifted> PastZero(XlaOp x, XlaOp q) {
  XlaBuilder* builder = x.builder();
  auto more = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<XlaOp> {
    return And(Lt(v[0], ScalarLike(v[0], 1000)), Any(Lt(v[2], Real(v[2], 0))));
  };
  auto step = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    XlaOp below = Lt(v[2], Real(v[2], 0));
    XlaOp term = Select(below, Pow(v[2], Neg(v[1])), ZerosLike(v[2]));
    return std::vector<XlaOp>{Add(v[0], ScalarLike(v[0], 1)), v[1],
                              Select(below, Add(v[2], Real(v[2], 1)), v[2]),
                              Add(v[3], term)};
  };
  TF_ASSIGN_OR_RETURN(
      const std::vector<XlaOp> out,
      WhileLoopHelper(more, step,
                      {ConstantR0<int32_t>(builder, 0), x, q, ZerosLike(q)},
                      "zeta", builder));
  return Shifted{out[2], out[3]};
}

absl::StatusOr<XlaOp> ZetaOf(XlaOp x, XlaOp q) {
  XlaOp zero = Real(x, 0);
  XlaOp one = Real(x, 1);
  XlaOp pole = IsPole(q);
  XlaOp integer = Eq(x, Floor(x));
  XlaOp even = Eq(x, Mul(Real(x, 2), Floor(Mul(x, Real(x, 0.5)))));
  XlaOp invalid =
      Or(Or(Not(Gt(x, one)), IsNan(q)), And(Lt(q, zero), Not(integer)));
  XlaOp plain = Not(Or(invalid, pole));
  // Replace arguments outside by harmless ones.
  XlaOp s = Select(plain, x, FullLike(x, 2));
  TF_ASSIGN_OR_RETURN(const Shifted shifted,
                      PastZero(s, Select(plain, q, FullLike(q, 1))));
  XlaOp negative_s = Neg(s);
  XlaOp w = shifted.q;
  XlaOp sum = Add(shifted.sum, Pow(w, negative_s));
  for (int i = 1; i < kTerms; ++i) {
    sum = Add(sum, Pow(Add(w, Real(w, i)), negative_s));
  }
  w = Add(w, Real(w, kTerms));
  XlaOp power = Pow(w, negative_s);
  sum = Add(sum, Div(Mul(power, w), Sub(s, one)));
  sum = Add(sum, Mul(power, Real(x, 0.5)));
  // s (s + 1) ... (s + 2k) / w^(2k + 1), each with its power of w.
  XlaOp factor = Div(s, w);
  for (int k = 0; k < static_cast<int>(std::size(kBernoulli)); ++k) {
    XlaOp term = Mul(Mul(factor, power), Real(x, kBernoulli[k]));
    // Negligible terms could be 0 times infinity.
    XlaOp counts = Gt(Abs(term), Mul(Abs(sum), Real(x, EpsilonLike(x) / 4)));
    sum = Select(counts, Add(sum, term), sum);
    factor = Mul(factor, Mul(Div(Add(s, Real(s, 2 * k + 1)), w),
                             Div(Add(s, Real(s, 2 * k + 2)), w)));
  }
  // Poles: of one sign if x is even. x = 1: the harmonic series.
  XlaOp at_pole = Select(even, InfinityLike(x), NanLike(x));
  XlaOp result = Select(pole, at_pole, sum);
  result = Select(invalid, NanLike(x), result);
  return Select(Eq(x, one), InfinityLike(x), result);
}

absl::StatusOr<XlaOp> PolygammaOf(XlaOp n, XlaOp x) {
  XlaOp zero = Real(n, 0);
  XlaOp order = Add(n, Real(n, 1));
  XlaOp even = Eq(n, Mul(Real(n, 2), Floor(Mul(n, Real(n, 0.5)))));
  TF_ASSIGN_OR_RETURN(XlaOp zeta, ZetaOf(order, x));
  XlaOp factorial = Exp(Lgamma(order));
  XlaOp result = Mul(factorial, Select(even, Neg(zeta), zeta));
  result = Select(Eq(n, zero), Digamma(x), result);
  return Select(And(Ge(n, zero), Eq(n, Floor(n))), result, NanLike(x));
}

}  // namespace
}  // namespace special

XlaOp Zeta(XlaOp x, XlaOp q) {
  return special::Apply("Zeta", {x, q}, [](absl::Span<const XlaOp> args) {
    return special::ZetaOf(args[0], args[1]);
  });
}

XlaOp Polygamma(XlaOp n, XlaOp x) {
  return special::Apply("Polygamma", {n, x}, [](absl::Span<const XlaOp> args) {
    return special::PolygammaOf(args[0], args[1]);
  });
}

}  // namespace xla
