// log gamma and psi: a Chebyshev series on [1, 2] fitted to 18 digits, the
// recurrences DLMF 5.5.1 and 5.5.2, Stirling's series DLMF 5.11.1 and 5.11.2
// from 10 on, the reflections DLMF 5.5.3 and 5.5.4 below 0.
#include "xla/hlo/builder/special/gamma.h"

#include <cmath>
#include <numbers>

#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/special/series.h"

namespace xla {
namespace special {
namespace {

// log gamma(y) / ((y - 1) (y - 2)) on [1, 2], in 2 y - 3.
constexpr double kLogGamma[] = {
    0.49141539302938713,     -0.076114161670435843,   0.008432324965932778,
    -0.0010794937263286082,  1.4900748003692965e-4,   -2.1512399888556785e-5,
    3.1979329860862186e-6,   -4.8516930121399262e-7,  7.4714878211631598e-8,
    -1.1638296700170519e-8,  1.829400437118668e-9,    -2.8969180607129606e-10,
    4.6157014062090901e-11,  -7.3928102304979825e-12, 1.1894280008333086e-12,
    -1.9212068676522804e-13, 3.113975526387164e-14,   -5.0628432984486113e-15,
    8.2541502816311443e-16,  -1.3490578987574843e-16, 2.2098761167826228e-17,
    -3.6274129549239769e-18, 5.9654300688215224e-19};
// B(2k) / (2k (2k - 1)): the coefficients of x^(1 - 2k) of log gamma.
constexpr double kLogGammaStirling[] = {
    1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
    1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
// -B(2k) / 2k: the coefficients of x^-2k of psi.
constexpr double kDigammaStirling[] = {-1.0 / 12, 1.0 / 120,    -1.0 / 252,
                                       1.0 / 240, -1.0 / 132,   691.0 / 32760,
                                       -1.0 / 12, 3617.0 / 8160};
// Stirling's series is accurate enough in F64 from here on.
constexpr double kStirlingFrom = 10;

// Returns Stirling's series without its leading terms, for x >= kStirlingFrom.
XlaOp StirlingTail(XlaOp x) {
  XlaOp inverse = Reciprocal(x);
  return Mul(Polynomial(Square(inverse), kLogGammaStirling), inverse);
}

}  // namespace

XlaOp LogGammaOfOnePlus(XlaOp x) {
  // y - 1 = x and y - 2 = x - 1 are exact.
  XlaOp t = Sub(Add(x, x), Real(x, 1));
  return Mul(Mul(x, Sub(x, Real(x, 1))), Chebyshev(t, kLogGamma));
}

XlaOp LogGammaOfPositive(XlaOp x) {
  XlaOp one = Real(x, 1);
  // 0 < x <= 3 follows from gamma(y) with 1 <= y <= 2.
  XlaOp below = Lt(x, one);
  XlaOp above = Gt(x, Real(x, 2));
  XlaOp y_minus_1 =
      Select(below, x, Select(above, Sub(x, Real(x, 2)), Sub(x, one)));
  XlaOp log = Log(Select(below, x, Select(above, Sub(x, one), FullLike(x, 1))));
  XlaOp small =
      LogGammaOfOnePlus(Select(Le(x, Real(x, 3)), y_minus_1, ZerosLike(x)));
  small = Select(below, Sub(small, log), Add(small, log));
  // Larger arguments below 10 follow from that of x + 7.
  constexpr int kShift = 7;
  XlaOp product = x;
  for (int i = 1; i < kShift; ++i) product = Mul(product, Add(x, Real(x, i)));
  XlaOp shifted = Lt(x, Real(x, kStirlingFrom));
  XlaOp w = Select(shifted, Add(x, Real(x, kShift)), x);
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  XlaOp large = Add(Sub(Mul(Sub(w, Real(x, 0.5)), Log(w)), w),
                    Add(StirlingTail(w), Real(x, kHalfLogTwoPi)));
  large = Sub(large, Log(Select(shifted, product, FullLike(x, 1))));
  // The formula above gives inf - inf.
  large = Select(Eq(x, InfinityLike(x)), x, large);
  return Select(Le(x, Real(x, 3)), small, large);
}

namespace {

XlaOp LogGammaOf(XlaOp x) {
  XlaOp negative = Lt(x, Real(x, 0));
  XlaOp positive = LogGammaOfPositive(Abs(x));
  // log|gamma(-z)| = log(pi / (z |sin(pi z)|)) - log gamma(z).
  XlaOp z = Abs(x);
  XlaOp reflected =
      Sub(Sub(Real(x, std::log(std::numbers::pi)), Log(Abs(SinPi(z)))),
          Add(Log(z), positive));
  XlaOp result = Select(negative, reflected, positive);
  return Select(Or(IsPole(x), Eq(z, InfinityLike(x))), InfinityLike(x), result);
}

// Returns psi(w) - log(w) for w >= kStirlingFrom.
XlaOp DigammaTail(XlaOp w) {
  XlaOp inverse = Reciprocal(w);
  XlaOp square = Square(inverse);
  return Sub(Mul(Polynomial(square, kDigammaStirling), square),
             Mul(inverse, Real(w, 0.5)));
}

// Returns 1 / x + ... + 1 / (x + 9).
XlaOp TenReciprocals(XlaOp x) {
  XlaOp sum = Reciprocal(x);
  for (int i = 1; i < 10; ++i) {
    sum = Add(sum, Reciprocal(Add(x, Real(x, i))));
  }
  return sum;
}

}  // namespace

XlaOp DigammaMinusLog(XlaOp x) {
  XlaOp small = Lt(x, Real(x, kStirlingFrom));
  XlaOp w = Select(small, Add(x, Real(x, 10)), x);
  XlaOp tail = DigammaTail(w);
  return Select(small, Sub(Add(Log(Div(w, x)), tail), TenReciprocals(x)), tail);
}

XlaOp DigammaOf(XlaOp x) {
  XlaOp negative = Le(x, Real(x, 0));
  XlaOp y = Select(negative, Sub(Real(x, 1), x), x);
  XlaOp small = Lt(y, Real(x, kStirlingFrom));
  XlaOp w = Select(small, Add(y, Real(x, 10)), y);
  XlaOp result = Add(Log(w), DigammaTail(w));
  result = Select(small, Sub(result, TenReciprocals(y)), result);
  // psi(x) = psi(1 - x) - pi / tan(pi x), of period 1.
  XlaOp fraction = Mul(Real(x, std::numbers::pi), Sub(x, RoundNearestEven(x)));
  XlaOp reflected =
      Sub(result,
          Div(Mul(Real(x, std::numbers::pi), Cos(fraction)), Sin(fraction)));
  result = Select(negative, reflected, result);
  result = Select(IsPole(x), NanLike(x), result);
  // At 0 both sides go to -infinity.
  return Select(Eq(x, Real(x, 0)), Neg(InfinityLike(x)), result);
}

XlaOp StirlingError(XlaOp x) {
  XlaOp small = Lt(x, Real(x, kStirlingFrom));
  // gamma(x + 1) = x gamma(x) for the x that are not in [0, 1].
  XlaOp unit = Le(x, Real(x, 1));
  XlaOp log_gamma = Select(
      unit, LogGammaOfOnePlus(Select(unit, x, ZerosLike(x))),
      LogGammaOfPositive(Add(Select(small, x, FullLike(x, 1)), Real(x, 1))));
  XlaOp log = Log(x);
  XlaOp direct = Sub(
      Add(log_gamma, x),
      Add(Mul(x, log), Mul(Real(x, 0.5),
                           Add(log, Real(x, std::log(2 * std::numbers::pi))))));
  return Select(small, direct,
                StirlingTail(Select(small, FullLike(x, kStirlingFrom), x)));
}

XlaOp Deviance(XlaOp x, XlaOp np) {
  // With v = (x - np) / (x + np): x log(x / np) = 2 x atanh(v), a series in v^2
  // whose first term is combined with np - x.
  XlaOp difference = Sub(x, np);
  XlaOp v = Div(difference, Add(x, np));
  XlaOp near = Le(Abs(v), Real(x, 0.5));
  XlaOp square = Square(Select(near, v, ZerosLike(v)));
  double c[28];
  const int count = EpsilonLike(x) < 1e-10 ? 28 : 13;
  for (int j = 0; j < count; ++j) c[j] = 1.0 / (2 * j + 3);
  XlaOp tail = Mul(Polynomial(square, absl::MakeConstSpan(c, count)), square);
  XlaOp series = Add(Mul(difference, v), Mul(Mul(Add(x, x), v), tail));
  XlaOp direct = Sub(Mul(x, Sub(Log(x), Log(np))), difference);
  return Select(near, series, direct);
}

}  // namespace special

XlaOp Lgamma(XlaOp input) {
  return special::Apply("Lgamma", {input}, [](absl::Span<const XlaOp> args) {
    return special::LogGammaOf(args[0]);
  });
}

XlaOp Digamma(XlaOp input) {
  return special::Apply("Digamma", {input}, [](absl::Span<const XlaOp> args) {
    return special::DigammaOf(args[0]);
  });
}

}  // namespace xla
