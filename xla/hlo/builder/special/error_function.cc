// Erfc and ErfInv as Chebyshev series fitted to 18 digits: exp(x^2) erfc(x) in
// the variable of Press et al., "Numerical recipes", section 6.2.2; the inverse
// in those of Giles, "Approximating the erfinv function" (2011).
#include <limits>

#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/special/series.h"

namespace xla {
namespace special {
namespace {

// exp(x^2) erfc(x) / t in 2 t - 1, where t = 2 / (2 + x), for x >= 0.
constexpr double kErfcx[] = {
    0.57703373861646969,     0.35543692127049849,     0.065095158828786525,
    0.0036711423958366392,   -0.0011128447433526325,  -1.607582991537808e-4,
    3.2780315741731371e-5,   5.442441645505016e-6,    -1.5154665553171482e-6,
    -1.4297608181169865e-7,  8.2346088274194934e-8,   -1.2962846852306563e-9,
    -4.1547216310151983e-9,  6.3470582783628112e-10,  1.4320822712256224e-10,
    -6.1603901052045855e-11, 2.0612138554721696e-12,  3.5714931488477044e-12,
    -8.5864228432517965e-13, -6.1456002137906306e-14, 7.4187257485966171e-14,
    -1.2895042755032326e-14, -2.3587263857106324e-15, 1.5729349381685911e-15,
    -2.2782966239546465e-16, -6.3123304507564298e-17, 3.5916763531814923e-17,
    -5.0498091498477293e-18, -1.5324541113154899e-18, 8.9033452889906102e-19};
// erfinv(x) / x: in w on [0, 6.25], in sqrt(w) on [2.5, 4] and [4, 6.25], where
// w = -log(1 - x^2); each mapped to [-1, 1].
constexpr double kErfInvCentral[] = {
    1.6304220989459325,      0.73156744567422574,     -0.021235032142504586,
    -0.0065808875424494631,  0.0019488711426908524,   -1.4158343386374537e-4,
    -4.9292864636180005e-5,  1.4752887929042497e-5,   -6.1119186032581936e-7,
    -5.1069973354807612e-7,  1.1590277232977349e-7,   1.4907998843194937e-9,
    -5.2447767855306813e-9,  8.5179054910976207e-10,  7.9170205929739079e-11,
    -5.0994281737154327e-11, 5.4362275302313168e-12,  1.2922821897517949e-12,
    -4.656064719044143e-13,  2.4256976317675218e-14,  1.6403697972051413e-14,
    -3.9495606909014703e-15, -3.9036001761416304e-17, 1.8312908352795899e-16,
    -3.03580260263594e-17,   -2.8782301773959921e-18, 1.8669320251663633e-18};
constexpr double kErfInvMiddle[] = {
    3.0857448440231021,     0.75248372689212767,     0.0019842584172056767,
    -5.3456190010160393e-4, 1.3028067459042271e-4,   -2.9433775347106417e-5,
    5.2310515437880914e-6,  -5.3851896353165903e-7,  -2.922686732135409e-8,
    2.3903569231251556e-8,  -4.4112098695540948e-9,  2.2053622855049448e-10,
    8.0953919232494924e-11, -2.1642011149793333e-11, 1.9364299208504444e-12,
    1.9183918173325101e-13, -8.2455516356973691e-14, 1.0402388222104602e-14,
    2.9484539267546552e-17, -2.4669496593190292e-16, 4.5962728850225958e-17,
    -3.0942577381166362e-18};
constexpr double kErfInvTail[] = {
    4.976098221510014,       1.13632640639631,        -7.8946572886510226e-5,
    -7.4039387667493206e-5,  1.4487997116092317e-5,   -2.0897638359601916e-6,
    2.7083616807055963e-7,   -3.4653657974355741e-8,  4.9861121733021536e-9,
    -9.387771499414535e-10,  2.281197598612107e-10,   -6.0216691886251845e-11,
    1.5059720227547467e-11,  -3.3171481893899998e-12, 6.0539131775077943e-13,
    -8.1000936555349202e-14, 4.0556194175929324e-15,  1.6557915132295136e-15,
    -6.4613025242686821e-16, 1.3347514307226608e-16,  -1.6796033084251809e-17};

XlaOp ErfcOf(XlaOp x) {
  XlaOp size = Abs(x);
  XlaOp two = Real(x, 2);
  XlaOp one = Real(x, 1);
  XlaOp t = Div(two, Add(two, size));
  XlaOp series = Mul(t, Chebyshev(Sub(Add(t, t), one), kErfcx));
  XlaOp tail = Mul(Exp(Neg(Square(size))), series);
  XlaOp result = Select(Lt(x, Real(x, 0)), Sub(two, tail), tail);
  return Select(Lt(size, Real(x, 0.5)), Sub(one, Erf(x)), result);
}

// Evaluates the Chebyshev series in v on [low, high], clamping v to it.
XlaOp On(XlaOp v, double low, double high, absl::Span<const double> c) {
  XlaOp inside = Clamp(Real(v, low), v, Real(v, high));
  XlaOp middle = Real(v, (high + low) / 2);
  return Chebyshev(Mul(Sub(inside, middle), Real(v, 2 / (high - low))), c);
}

XlaOp ErfInvOf(XlaOp x) {
  XlaOp one = Real(x, 1);
  XlaOp size = Abs(x);
  XlaOp far = Gt(size, Real(x, 0.5));
  // 1 - x is exact for x > 1/2.
  XlaOp w = Neg(Select(far, Log(Mul(Sub(one, size), Add(one, size))),
                       Log1p(Neg(Square(size)))));
  XlaOp root = Sqrt(w);
  XlaOp ratio =
      Select(Le(w, Real(x, 6.25)), On(w, 0, 6.25, kErfInvCentral),
             Select(Le(root, Real(x, 4)), On(root, 2.5, 4, kErfInvMiddle),
                    On(root, 4, 6.25, kErfInvTail)));
  XlaOp result = Mul(x, ratio);
  result = Select(Eq(size, one), Mul(x, InfinityLike(x)), result);
  return Select(Le(size, one), result, NanLike(x));
}

}  // namespace
}  // namespace special

XlaOp Erfc(XlaOp x) {
  return special::Apply("Erfc", {x}, [](absl::Span<const XlaOp> args) {
    return special::ErfcOf(args[0]);
  });
}

XlaOp ErfInv(XlaOp x) {
  return special::Apply("ErfInv", {x}, [](absl::Span<const XlaOp> args) {
    return special::ErfInvOf(args[0]);
  });
}

}  // namespace xla
