// The incomplete gamma functions and their derivatives with respect to a: the
// power series DLMF 8.11.4 for x <= a or x <= 1, else the continued fraction
// DLMF 8.9.2 by the modified Lentz algorithm (Lentz 1976; Thompson and Barnett
// 1986), differentiated step by step. Loader's form of the leading factor is
// accurate for large a.
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
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

// The most iterations, so that the loops end for any arguments.
constexpr int kMaxGammaSteps = 10000;

// A value, and its derivative with respect to a.
struct Dual {
  XlaOp value;
  XlaOp slope;
};

// Returns whether a loop has to go on: some |change| is above epsilon |whole|.
XlaOp Unsettled(XlaOp change, XlaOp whole) {
  return Any(Gt(Abs(change), Mul(Abs(whole), Real(whole, EpsilonLike(whole)))));
}

XlaOp InSteps(XlaOp step, XlaOp unsettled) {
  return And(Lt(step, ConstantR0<int32_t>(step.builder(), kMaxGammaSteps)),
             unsettled);
}

// Returns S = 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ... for x <= a or x
// <= 1, and dS/da.
absl::StatusOr<Dual> PowerSeries(XlaOp a, XlaOp x) {
  XlaBuilder* builder = a.builder();
  XlaOp one = FullLike(a, 1);
  XlaOp zero = ZerosLike(a);
  // State: step, a + step, x, term, sum, and the derivatives of the last two.
  auto more = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<XlaOp> {
    XlaOp scale = Add(Abs(v[6]), v[4]);
    return InSteps(v[0], Or(Unsettled(v[3], v[4]), Unsettled(v[5], scale)));
  };
  auto step = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    XlaOp r = Add(v[1], Real(v[1], 1));
    XlaOp ratio = Div(v[2], r);
    XlaOp term = Mul(v[3], ratio);
    XlaOp slope = Mul(Sub(v[5], Div(v[3], r)), ratio);
    return std::vector<XlaOp>{Add(v[0], ScalarLike(v[0], 1)),
                              r,
                              v[2],
                              term,
                              Add(v[4], term),
                              slope,
                              Add(v[6], slope)};
  };
  TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> out,
                      WhileLoopHelper(more, step,
                                      {ConstantR0<int32_t>(builder, 0), a, x,
                                       one, one, zero, zero},
                                      "igamma_series", builder));
  return Dual{out[4], out[6]};
}

// Returns F = 1 / (x + 1 - a + 1 (a - 1) / (x + 3 - a + 2 (a - 2) / (x + 5 - a
// + ... for x > a and x > 1, and dF/da.
absl::StatusOr<Dual> ContinuedFraction(XlaOp a, XlaOp x) {
  XlaBuilder* builder = a.builder();
  XlaOp b = Sub(Add(x, Real(x, 1)), a);
  XlaOp d = Reciprocal(b);
  // The first step's C has no part from a step before.
  XlaOp c = FullLike(a, std::numeric_limits<double>::infinity());
  // State: step, a, b, C, C', D, D', F, (log F)', last factor - 1 and (log of
  // the last factor)'.
  auto more = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<XlaOp> {
    XlaOp one = FullLike(v[9], 1);
    return InSteps(
        v[0], Or(Unsettled(v[9], one), Unsettled(v[10], Add(Abs(v[8]), v[7]))));
  };
  auto step = [](absl::Span<const XlaOp> v,
                 XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    XlaOp number = Add(v[0], ScalarLike(v[0], 1));
    XlaOp n = ConvertElementType(number, constants_internal::TypeLike(v[1]));
    XlaOp one = Real(v[1], 1);
    XlaOp numerator = Mul(n, Sub(v[1], n));  // slope n
    XlaOp b = Add(v[2], Real(v[2], 2));      // slope -1
    XlaOp inverse_c = Reciprocal(v[3]);
    XlaOp c = Add(b, Mul(numerator, inverse_c));
    XlaOp c_slope =
        Sub(Mul(Sub(n, Mul(Mul(numerator, inverse_c), v[4])), inverse_c), one);
    XlaOp d = Reciprocal(Add(b, Mul(numerator, v[5])));
    XlaOp denominator_slope = Sub(Add(Mul(n, v[5]), Mul(numerator, v[6])), one);
    XlaOp d_slope = Neg(Mul(Square(d), denominator_slope));
    XlaOp factor = Mul(c, d);
    XlaOp log_slope = Sub(Div(c_slope, c), Mul(d, denominator_slope));
    return std::vector<XlaOp>{number,
                              v[1],
                              b,
                              c,
                              c_slope,
                              d,
                              d_slope,
                              Mul(v[7], factor),
                              Add(v[8], log_slope),
                              Sub(factor, one),
                              log_slope};
  };
  XlaOp one = FullLike(a, 1);
  TF_ASSIGN_OR_RETURN(
      const std::vector<XlaOp> out,
      WhileLoopHelper(more, step,
                      {ConstantR0<int32_t>(builder, 0), a, b, c, ZerosLike(a),
                       d, Square(d), d, d, one, one},
                      "igamma_fraction", builder));
  return Dual{out[7], Mul(out[7], out[8])};
}

// Returns x^a e^-x / gamma(a + 1).
XlaOp Factor(XlaOp a, XlaOp x) {
  XlaOp exponent = Neg(Add(StirlingError(a), Deviance(a, x)));
  return Div(Exp(exponent), Sqrt(Mul(Real(a, 2 * std::numbers::pi), a)));
}

// Returns 1 - P for small x, where P is near 1 although x is small: Q = 1 - x^a
// / gamma(a + 1)
// - x^a / gamma(a) sum over n > 0 of (-x)^n / (n! (a + n)). Source: DLMF 8.7.1.
XlaOp SmallComplement(XlaOp a, XlaOp x) {
  XlaOp sum = ZerosLike(x);
  XlaOp power = FullLike(x, 1);
  const int terms = EpsilonLike(x) < 1e-10 ? 20 : 12;
  for (int n = 1; n <= terms; ++n) {
    power = Mul(power, Mul(x, Real(x, -1.0 / n)));
    sum = Add(sum, Div(power, Add(a, Real(a, n))));
  }
  XlaOp log = Log(x);
  XlaOp one_plus = Select(Le(a, Real(a, 1)), a, ZerosLike(a));
  XlaOp log_gamma = Select(Le(a, Real(a, 1)), LogGammaOfOnePlus(one_plus),
                           LogGammaOfPositive(Add(a, Real(a, 1))));
  XlaOp exponent = Sub(Mul(a, log), log_gamma);
  return Neg(Add(Expm1(exponent), Mul(Mul(a, Exp(exponent)), sum)));
}

// The two arguments, where each method is used, and arguments for each method,
// in which harmless values replace those that another method handles.
struct Regions {
  XlaOp invalid;
  XlaOp zero;      // x = 0
  XlaOp infinite;  // x = inf
  XlaOp fraction;
  XlaOp series_a, series_x;
  XlaOp fraction_a, fraction_x;
};

Regions RegionsOf(XlaOp a, XlaOp x) {
  Regions r;
  XlaOp infinity = InfinityLike(a);
  r.zero = Eq(x, Real(x, 0));
  r.infinite = Eq(x, infinity);
  r.invalid =
      Not(And(And(Gt(a, Real(a, 0)), Lt(a, infinity)), Ge(x, Real(x, 0))));
  r.fraction = And(Gt(x, a), Gt(x, Real(x, 1)));
  XlaOp plain = Not(Or(Or(r.invalid, r.zero), r.infinite));
  XlaOp in_series = And(plain, Not(r.fraction));
  XlaOp in_fraction = And(plain, r.fraction);
  XlaOp one = FullLike(a, 1);
  r.series_a = Select(in_series, a, one);
  r.series_x = Select(in_series, x, one);
  r.fraction_a = Select(in_fraction, a, one);
  r.fraction_x = Select(in_fraction, x, FullLike(x, 2));
  return r;
}

// Returns P or Q.
absl::StatusOr<XlaOp> Regularized(XlaOp a, XlaOp x, bool complement) {
  const Regions r = RegionsOf(a, x);
  XlaOp one = FullLike(a, 1);
  TF_ASSIGN_OR_RETURN(const Dual series, PowerSeries(r.series_a, r.series_x));
  XlaOp lower = Mul(Factor(r.series_a, r.series_x), series.value);
  TF_ASSIGN_OR_RETURN(const Dual fraction,
                      ContinuedFraction(r.fraction_a, r.fraction_x));
  XlaOp upper = Mul(Mul(Factor(r.fraction_a, r.fraction_x), r.fraction_a),
                    fraction.value);
  XlaOp result;
  if (complement) {
    XlaOp small = And(Le(r.series_x, Real(x, 1)), Lt(r.series_a, Real(x, 2)));
    XlaOp from_series = Select(small,
                               SmallComplement(Select(small, r.series_a, one),
                                               Select(small, r.series_x, one)),
                               Sub(one, lower));
    result = Select(r.fraction, upper, from_series);
  } else {
    result = Select(r.fraction, Sub(one, upper), lower);
  }
  XlaOp at_zero = FullLike(x, complement ? 1 : 0);
  XlaOp at_infinity = FullLike(x, complement ? 0 : 1);
  result = Select(r.zero, at_zero, Select(r.infinite, at_infinity, result));
  return Select(r.invalid, NanLike(x), result);
}

// Returns log(x) - log(a), accurate where they are near.
XlaOp LogRatio(XlaOp x, XlaOp a) {
  XlaOp relative = Div(Sub(x, a), a);
  XlaOp near = Lt(Abs(relative), Real(x, 0.5));
  return Select(near, Log1p(Select(near, relative, ZerosLike(x))),
                Sub(Log(x), Log(a)));
}

// Returns dP/da, or -(dP/da) / (dP/dx).
absl::StatusOr<XlaOp> SlopeByA(XlaOp a, XlaOp x, bool of_sample) {
  const Regions r = RegionsOf(a, x);
  // P = Factor S: (log Factor)' = log(x) - psi(a + 1).
  TF_ASSIGN_OR_RETURN(const Dual series, PowerSeries(r.series_a, r.series_x));
  XlaOp log_slope =
      Sub(LogRatio(r.series_x, r.series_a),
          Add(DigammaMinusLog(r.series_a), Reciprocal(r.series_a)));
  XlaOp from_series = Add(Mul(series.value, log_slope), series.slope);
  // 1 - P = a Factor F.
  TF_ASSIGN_OR_RETURN(const Dual fraction,
                      ContinuedFraction(r.fraction_a, r.fraction_x));
  log_slope =
      Sub(LogRatio(r.fraction_x, r.fraction_a), DigammaMinusLog(r.fraction_a));
  XlaOp from_fraction = Add(Mul(fraction.value, log_slope), fraction.slope);
  XlaOp result;
  if (of_sample) {
    // dP/dx = Factor a / x.
    result = Select(r.fraction, Mul(r.fraction_x, from_fraction),
                    Neg(Mul(Div(r.series_x, r.series_a), from_series)));
  } else {
    result =
        Select(r.fraction,
               Neg(Mul(Mul(Factor(r.fraction_a, r.fraction_x), r.fraction_a),
                       from_fraction)),
               Mul(Factor(r.series_a, r.series_x), from_series));
  }
  XlaOp at_infinity = of_sample ? NanLike(x) : ZerosLike(x);
  result =
      Select(r.zero, ZerosLike(x), Select(r.infinite, at_infinity, result));
  return Select(r.invalid, NanLike(x), result);
}

}  // namespace
}  // namespace special

XlaOp Igamma(XlaOp a, XlaOp x) {
  return special::Apply("Igamma", {a, x}, [](absl::Span<const XlaOp> args) {
    return special::Regularized(args[0], args[1], /*complement=*/false);
  });
}

XlaOp Igammac(XlaOp a, XlaOp x) {
  return special::Apply("Igammac", {a, x}, [](absl::Span<const XlaOp> args) {
    return special::Regularized(args[0], args[1], /*complement=*/true);
  });
}

XlaOp IgammaGradA(XlaOp a, XlaOp x) {
  return special::Apply("IgammaGradA", {a, x},
                        [](absl::Span<const XlaOp> args) {
                          return special::SlopeByA(args[0], args[1], false);
                        });
}

XlaOp RandomGammaGrad(XlaOp a, XlaOp x) {
  return special::Apply("RandomGammaGrad", {a, x},
                        [](absl::Span<const XlaOp> args) {
                          return special::SlopeByA(args[0], args[1], true);
                        });
}

}  // namespace xla
