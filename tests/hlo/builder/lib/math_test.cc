// Special functions against values computed with 40 digits, in F64 and F32, and
// the functions on the bits of floats.
#include "xla/hlo/builder/lib/math.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/builder/lib/constants.h"

namespace xla {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A common form for functions of one to three arguments.
using Function = std::function<XlaOp(absl::Span<const XlaOp>)>;
Function U(XlaOp (*f)(XlaOp)) {
  return [f](absl::Span<const XlaOp> x) { return f(x[0]); };
}
Function U(XlaOp (*f)(XlaOp, const std::optional<ResultAccuracy>&, bool)) {
  return [f](absl::Span<const XlaOp> x) { return f(x[0], std::nullopt, true); };
}
Function B(XlaOp (*f)(XlaOp, XlaOp)) {
  return [f](absl::Span<const XlaOp> x) { return f(x[0], x[1]); };
}
Function T(XlaOp (*f)(XlaOp, XlaOp, XlaOp)) {
  return [f](absl::Span<const XlaOp> x) { return f(x[0], x[1], x[2]); };
}

// Arguments that F32 represents exactly, and the value.
struct Case {
  std::vector<double> arguments;
  double value;
};

void ExpectValuesIn(PrimitiveType type, double tolerance,
                    const Function& function, const std::vector<Case>& cases) {
  std::vector<Literal> arguments;
  for (size_t i = 0; i < cases[0].arguments.size(); ++i) {
    std::vector<double> column;
    for (const Case& c : cases) column.push_back(c.arguments[i]);
    arguments.push_back(
        LiteralUtil::CreateR1<double>(column).Convert(type).value());
  }
  const absl::StatusOr<Literal> result =
      RunOp([&](XlaBuilder*, absl::Span<const XlaOp> x) { return function(x); },
            arguments);
  ASSERT_TRUE(result.ok()) << result.status();
  const Literal wide = result->Convert(F64).value();
  for (size_t i = 0; i < cases.size(); ++i) {
    const double actual = wide.Get<double>({static_cast<int64_t>(i)});
    const double expected = cases[i].value;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual)) << i;
    } else if (std::isinf(expected)) {
      EXPECT_EQ(actual, expected) << i;
    } else {
      // Values below the smallest normal number have fewer digits.
      const double least = type == F64 ? 1e-300 : 1e-37;
      EXPECT_NEAR(actual, expected, std::abs(expected) * tolerance + least)
          << PrimitiveType_Name(type) << ", case " << i;
    }
  }
}

void ExpectValues(const Function& function, const std::vector<Case>& cases) {
  ExpectValuesIn(F64, 1e-12, function, cases);
  ExpectValuesIn(F32, 1e-5, function, cases);
}

TEST(MathTest, Erfc) {
  ExpectValues(U(Erfc), {
                            {{-3.5}, 1.9999992569016277},
                            {{-1.0}, 1.8427007929497149},
                            {{-0.30000001192092896}, 1.3286267717527154},
                            {{0.0}, 1.0},
                            {{9.999999974752427e-07}, 0.99999887162083575},
                            {{0.20000000298023224}, 0.7772974075585481},
                            {{0.5}, 0.47950012218695346},
                            {{0.75}, 0.28884436634648487},
                            {{1.5}, 0.033894853524689273},
                            {{3.0}, 2.2090496998585441e-5},
                            {{5.0}, 1.5374597944280349e-12},
                            {{8.5}, 2.7623240713337714e-33},
                        });
}

TEST(MathTest, ErfInv) {
  ExpectValues(U(ErfInv), {
                              {{-0.9990000128746033}, -2.3267563267961548},
                              {{-0.699999988079071}, -0.73286905988275891},
                              {{-0.10000000149011612}, -0.088855991825306482},
                              {{0.0}, 0.0},
                              {{1.0000000116860974e-07}, 8.8622693580929452e-8},
                              {{0.30000001192092896}, 0.27246272610552377},
                              {{0.5}, 0.47693627620446987},
                              {{0.6000000238418579}, 0.59511611155898196},
                              {{0.8999999761581421}, 1.1630870719457722},
                              {{0.9900000095367432}, 1.8213866009002778},
                              {{0.9998999834060669}, 2.7510354379032874},
                              {{0.9999998807907104}, 3.7439211627767996},
                          });
}

TEST(MathTest, Lgamma) {
  ExpectValues(U(Lgamma), {
                              {{1.000000013351432e-10}, 23.025850916531303},
                              {{0.10000000149011612}, 2.2527126362016008},
                              {{0.5}, 0.57236494292470009},
                              {{0.8999999761581421}, 0.066376257733604591},
                              {{0.9990000128746033}, 5.7803108027546509e-4},
                              {{1.0}, 0.0},
                              {{1.000100016593933}, -5.7722917768988851e-5},
                              {{1.5}, -0.12078223763524522},
                              {{1.999899983406067}, -4.2282223356811171e-5},
                              {{2.0}, 0.0},
                              {{2.000499963760376}, 2.1145744266066063e-4},
                              {{2.700000047683716}, 0.43482059164868724},
                              {{3.0999999046325684}, 0.78737499157555668},
                              {{5.5}, 3.9578139676187163},
                              {{9.899999618530273}, 12.577179049277444},
                              {{10.0}, 12.80182748008147},
                              {{33.29999923706055}, 82.603720918639796},
                              {{1000.0}, 5905.2204232091812},
                              {{1000000.0}, 1.2815504569147612e+7},
                              {{-0.5}, 1.2655121234846454},
                              {{-1.2999999523162842}, 1.2024759238403724},
                              {{-7.699999809265137}, -8.6110964776814536},
                              {{-20.25}, -41.600961915340524},
                          });
}

TEST(MathTest, Digamma) {
  ExpectValues(U(Digamma), {
                               {{9.999999747378752e-05}, -10000.577303804773},
                               {{0.10000000149011612}, -10.423754789263685},
                               {{0.5}, -1.9635100260214235},
                               {{1.0}, -0.57721566490153286},
                               {{1.25}, -0.22745353337626541},
                               {{2.0}, 0.42278433509846714},
                               {{5.5}, 1.6110931485817511},
                               {{9.899999618530273}, 2.2411802760626177},
                               {{10.0}, 2.2517525890667211},
                               {{33.29999923706055}, 3.4904672152616945},
                               {{100000.0}, 11.512920464961895},
                               {{-0.25}, 2.9141391202135278},
                               {{-1.2999999523162842}, 2.8825412420385216},
                               {{-7.699999809265137}, -0.17774559078197812},
                           });
}

TEST(MathTest, Igamma) {
  ExpectValues(
      B(Igamma),
      {
          {{0.009999999776482582, 0.004999999888241291}, 0.9537608608410481},
          {{0.009999999776482582, 0.5}, 0.99437324393244218},
          {{0.009999999776482582, 3.0}, 0.99986702864645788},
          {{0.5, 0.10000000149011612}, 0.34527915638698038},
          {{0.5, 0.8999999761581421}, 0.82028749935627139},
          {{0.5, 2.5}, 0.97465268132253174},
          {{1.0, 1.0}, 0.63212055882855768},
          {{1.5, 0.30000001192092896}, 0.10356763211613775},
          {{3.0, 1.0}, 0.080301397071394196},
          {{3.0, 3.5}, 0.67915280113786593},
          {{3.0, 12.0}, 0.9994777419499671},
          {{10.0, 4.0}, 0.0081322427969338632},
          {{10.0, 9.5}, 0.47817397776279259},
          {{10.0, 14.0}, 0.890600630357261},
          {{50.0, 45.0}, 0.24680203440017027},
          {{50.0, 60.0}, 0.91559331890630817},
          {{200.0, 180.0}, 0.074858034984159582},
          {{200.0, 220.0}, 0.91819431161106167},
          {{1000.0, 1000.0}, 0.50420524418021551},
          {{1000.0, 1060.0}, 0.96934019982571301},
          {{100.0, 0.5}, 5.1523427339717519e-189},
      });
}

TEST(MathTest, Igammac) {
  ExpectValues(
      B(Igammac),
      {
          {{0.009999999776482582, 0.004999999888241291}, 0.0462391391589519},
          {{0.009999999776482582, 0.5}, 0.0056267560675578221},
          {{0.009999999776482582, 3.0}, 1.329713535421231e-4},
          {{0.5, 0.10000000149011612}, 0.65472084361301962},
          {{0.5, 0.8999999761581421}, 0.17971250064372861},
          {{0.5, 2.5}, 0.025347318677468264},
          {{1.0, 1.0}, 0.36787944117144232},
          {{1.5, 0.30000001192092896}, 0.89643236788386225},
          {{3.0, 1.0}, 0.9196986029286058},
          {{3.0, 3.5}, 0.32084719886213407},
          {{3.0, 12.0}, 5.2225805003289783e-4},
          {{10.0, 4.0}, 0.99186775720306614},
          {{10.0, 9.5}, 0.52182602223720741},
          {{10.0, 14.0}, 0.109399369642739},
          {{50.0, 45.0}, 0.75319796559982973},
          {{50.0, 60.0}, 0.08440668109369183},
          {{200.0, 180.0}, 0.92514196501584042},
          {{200.0, 220.0}, 0.08180568838893833},
          {{1000.0, 1000.0}, 0.49579475581978449},
          {{1000.0, 1060.0}, 0.030659800174286992},
          {{100.0, 0.5}, 1.0},
      });
}

TEST(MathTest, IgammaGradA) {
  ExpectValues(
      B(IgammaGradA),
      {
          {{0.10000000149011612, 0.05000000074505806}, -2.0264226475798405},
          {{0.10000000149011612, 2.0}, -0.064764935972975488},
          {{0.5, 0.30000001192092896}, -0.7705703444660327},
          {{0.5, 2.5}, -0.079975877305173842},
          {{1.0, 1.0}, -0.4317297106348987},
          {{3.0, 1.0}, -0.10645935294394227},
          {{3.0, 3.5}, -0.2109843561898342},
          {{3.0, 9.0}, -0.0086954664197425259},
          {{10.0, 4.0}, -0.0082139958722372781},
          {{10.0, 9.5}, -0.12882764167930821},
          {{10.0, 14.0}, -0.056690997715325729},
          {{50.0, 45.0}, -0.045543292140123876},
          {{50.0, 60.0}, -0.021284992786349492},
          {{200.0, 190.0}, -0.022352828341550041},
          {{200.0, 215.0}, -0.015924021155730779},
      });
}

TEST(MathTest, RandomGammaGrad) {
  ExpectValues(
      B(RandomGammaGrad),
      {
          {{0.10000000149011612, 0.05000000074505806}, 1.3672830622609417},
          {{0.10000000149011612, 2.0}, 8.4956491187700926},
          {{0.5, 0.30000001192092896}, 1.0098019689952045},
          {{0.5, 2.5}, 2.7304872835114303},
          {{1.0, 1.0}, 1.1735630272247269},
          {{3.0, 1.0}, 0.57877304915405245},
          {{3.0, 3.5}, 1.140708948806544},
          {{3.0, 9.0}, 1.7397554120638797},
          {{10.0, 4.0}, 0.62080544700998478},
          {{10.0, 9.5}, 0.99096249953469515},
          {{10.0, 14.0}, 1.1974228977739496},
          {{50.0, 45.0}, 0.95141019221162384},
          {{50.0, 60.0}, 1.0975795857767267},
          {{200.0, 190.0}, 0.97538506032051743},
          {{200.0, 215.0}, 1.0374602749152462},
      });
}

TEST(MathTest, Zeta) {
  ExpectValues(B(Zeta), {
                            {{2.0, 1.0}, 1.6449340668482264},
                            {{1.5, 0.25}, 10.213055360466601},
                            {{3.0, 2.5}, 0.1181020258208637},
                            {{5.0, 10.0}, 3.0413798676470276e-5},
                            {{1.100000023841858, 30.0}, 7.1287826391242136},
                            {{10.0, 0.5}, 1024.0174503557579},
                            {{20.0, 7.0}, 1.3493973313343204e-17},
                            {{3.0, -2.5}, 0.054102025820863702},
                            {{4.0, -0.25}, 259.2938854224751},
                            {{2.0, 1000.0}, 0.0010005001666666333},
                            {{150.0, 2.0}, 7.0064923216240854e-46},
                        });
}

TEST(MathTest, Polygamma) {
  ExpectValues(B(Polygamma),
               {
                   {{0.0, 1.5}, 0.036489973978576521},
                   {{1.0, 0.25}, 17.197329154507111},
                   {{1.0, 3.0}, 0.39493406684822644},
                   {{2.0, 0.699999988079071}, -6.4349931826944376},
                   {{3.0, 12.0}, 0.001310093231070826},
                   {{5.0, 2.5}, 0.57856917856718348},
                   {{8.0, 1.0}, -40400.978398747635},
               });
}

TEST(MathTest, BesselI0e) {
  ExpectValues(U(BesselI0e), {
                                 {{0.0}, 1.0},
                                 {{0.0010000000474974513}, 0.99900074953608929},
                                 {{0.5}, 0.64503527044915007},
                                 {{-2.0}, 0.30850832255367104},
                                 {{7.900000095367432}, 0.14436986323759147},
                                 {{8.0}, 0.14343178185685031},
                                 {{8.100000381469727}, 0.14251180601267851},
                                 {{-30.0}, 0.073145946482237294},
                                 {{500.0}, 0.017845706500153167},
                             });
}

TEST(MathTest, BesselI1e) {
  ExpectValues(U(BesselI1e),
               {
                   {{0.0}, 0.0},
                   {{0.0010000000474974513}, 4.9950033605549404e-4},
                   {{0.5}, 0.1564208031848717},
                   {{-2.0}, -0.21526928924893766},
                   {{7.900000095367432}, 0.13489649871489706},
                   {{8.0}, 0.13414249329269818},
                   {{8.100000381469727}, 0.13340068551894447},
                   {{-30.0}, -0.071916330598647555},
                   {{500.0}, 0.017827851852898056},
               });
}

TEST(MathTest, RegularizedIncompleteBeta) {
  ExpectValues(T(RegularizedIncompleteBeta),
               {
                   {{0.5, 0.5, 0.25}, 0.33333333333333333},
                   {{1.0, 1.0, 0.30000001192092896}, 0.30000001192092896},
                   {{2.0, 3.0, 0.10000000149011612}, 0.052300001448392876},
                   {{2.0, 3.0, 0.8999999761581421}, 0.99629999742507877},
                   {{10.0, 2.0, 0.75}, 0.1970973014831543},
                   {{0.10000000149011612, 5.0, 0.009999999776482582},
                    0.76908891604845821},
                   {{50.0, 60.0, 0.4000000059604645}, 0.12470688467850369},
                   {{50.0, 60.0, 0.5}, 0.83090729390166941},
                   {{200.0, 3.0, 0.9700000286102295}, 0.056734780658598518},
                   {{300.0, 400.0, 0.4300000071525574}, 0.53186778445596545},
                   {{1.0, 1000.0, 0.0020000000949949026}, 0.86493549040946925},
               });
}

TEST(MathTest, SpecialArguments) {
  ExpectValues(U(Lgamma), {{{0}, kInf},
                           {{-3}, kInf},
                           {{kInf}, kInf},
                           {{-kInf}, kInf},
                           {{kNan}, kNan}});
  ExpectValues(U(Digamma), {{{0}, -kInf},
                            {{-0.0}, -kInf},
                            {{-3}, kNan},
                            {{kNan}, kNan},
                            {{kInf}, kInf}});
  ExpectValues(U(ErfInv), {{{1}, kInf}, {{-1}, -kInf}, {{1.5}, kNan}});
  ExpectValues(U(Erfc), {{{kInf}, 0}, {{-kInf}, 2}, {{kNan}, kNan}});
  ExpectValues(B(Igamma), {{{1, 0}, 0},
                           {{1, kInf}, 1},
                           {{-1, 1}, kNan},
                           {{1, -1}, kNan},
                           {{kNan, 1}, kNan}});
  ExpectValues(B(Igammac), {{{1, 0}, 1}, {{1, kInf}, 0}, {{0, 1}, kNan}});
  ExpectValues(B(IgammaGradA), {{{1, 0}, 0}, {{1, kInf}, 0}, {{0, 1}, kNan}});
  ExpectValues(B(RandomGammaGrad), {{{1, 0}, 0}, {{0, 1}, kNan}});
  ExpectValues(B(Zeta), {{{1, 2}, kInf},
                         {{0.5, 2}, kNan},
                         {{2, -1}, kInf},
                         {{3, -1}, kNan},
                         {{2.5, -0.5}, kNan}});
  ExpectValues(B(Polygamma), {{{-1, 2}, kNan}, {{0.5, 2}, kNan}});
  ExpectValues(T(RegularizedIncompleteBeta), {{{1, 2, 0}, 0},
                                              {{1, 2, 1}, 1},
                                              {{-1, 2, 0.5}, kNan},
                                              {{1, 2, 1.5}, kNan}});
}

TEST(MathTest, OpsThatHaveNoFunctionElsewhere) {
  ExpectValues(U(Acos), {{{0.5}, 1.0471975511965979}});
  ExpectValues(U(Asin), {{{0.5}, 0.52359877559829893}});
  ExpectValues(U(Atan), {{{0.5}, 0.46364760900080609}});
  ExpectValues(U(Acosh), {{{1.5}, 0.96242365011920694}});
  ExpectValues(U(Asinh), {{{0.5}, 0.48121182505960347}});
  ExpectValues(U(Atanh), {{{0.5}, 0.54930614433405489}});
  ExpectValues(U(Cosh), {{{0.5}, 1.1276259652063807}});
  ExpectValues(U(Sinh), {{{0.5}, 0.52109530549374738}});
  ExpectValues(U(Square), {{{1.5}, 2.25}});
  ExpectValues(U(Reciprocal), {{{4}, 0.25}});
  ExpectValues(U(RoundToEven), {{{2.5}, 2}, {{3.5}, 4}, {{-0.6}, -1}});
}

TEST(MathTest, ComplexAtan) {
  std::vector<Literal> x;
  x.push_back(LiteralUtil::CreateR0<complex128>({0.5, 0.25}));
  ExpectNear(
      RunOp([](XlaBuilder*, absl::Span<const XlaOp> p) { return Atan(p[0]); },
            x),
      LiteralUtil::CreateR0<complex128>(
          {0.4842544903299662, 0.20058661813123432}),
      1e-14);
}

std::vector<Literal> Floats(std::vector<float> values) {
  std::vector<Literal> result;
  result.push_back(LiteralUtil::CreateR1<float>(values));
  return result;
}

TEST(MathTest, Tests) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<Literal> x =
      Floats({1, inf, -inf, std::nanf(""), 0.0f, -0.0f});
  auto test = [&](XlaOp (*f)(XlaOp)) {
    return RunToText(
        [f](XlaBuilder*, absl::Span<const XlaOp> p) { return f(p[0]); }, x);
  };
  EXPECT_EQ(test(IsPosInf), "{0, 1, 0, 0, 0, 0}");
  EXPECT_EQ(test(IsNegInf), "{0, 0, 1, 0, 0, 0}");
  EXPECT_EQ(test(IsInf), "{0, 1, 1, 0, 0, 0}");
  EXPECT_EQ(test(IsNan), "{0, 0, 0, 1, 0, 0}");
  EXPECT_EQ(test(IsNegZero), "{0, 0, 0, 0, 0, 1}");
}

template <typename T>
void ExpectNextAfter() {
  const T inf = std::numeric_limits<T>::infinity();
  const std::vector<std::pair<T, T>> cases = {
      {1, 2},
      {1, 0},
      {-1, 0},
      {0, 1},
      {0, -1},
      {T(-0.0), 1},
      {1, 1},
      {0, T(-0.0)},
      {std::numeric_limits<T>::max(), inf},
      {inf, 0},
      {std::numeric_limits<T>::denorm_min(), -1},
      {3, inf}};
  for (const auto& [from, to] : cases) {
    std::vector<Literal> x;
    x.push_back(LiteralUtil::CreateR0<T>(from));
    x.push_back(LiteralUtil::CreateR0<T>(to));
    const absl::StatusOr<Literal> next =
        RunOp([](XlaBuilder*,
                 absl::Span<const XlaOp> p) { return NextAfter(p[0], p[1]); },
              x);
    ASSERT_TRUE(next.ok()) << next.status();
    EXPECT_EQ(*next, LiteralUtil::CreateR0<T>(std::nextafter(from, to)))
        << from << " " << to;
  }
}

TEST(MathTest, NextAfter) {
  ExpectNextAfter<float>();
  ExpectNextAfter<double>();
}

TEST(MathTest, SmallFloatsAndScalars) {
  // Computes in F32, then rounds once; a scalar fits any shape.
  std::vector<Literal> x;
  x.push_back(LiteralUtil::CreateR1<float>({1, 3}).Convert(BF16).value());
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, absl::Span<const XlaOp> p) {
                  return Igamma(ScalarLike(p[0], 1.0), p[0]);
                },
                x),
            "{0.6328, 0.9492}");
}

TEST(MathTest, Conjugates) {
  std::vector<Literal> x;
  x.push_back(LiteralUtil::CreateR0<complex64>({1, 2}));
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, absl::Span<const XlaOp> p) {
                  return MaybeConjugate(p[0], true);
                },
                x),
            "(1, -2)");
}

TEST(MathTest, Rules) {
  std::vector<Literal> x;
  x.push_back(LiteralUtil::CreateR1<int32_t>({1, 2}));
  x.push_back(LiteralUtil::CreateR1<float>({1, 2}));
  x.push_back(LiteralUtil::CreateR1<float>({1, 2, 3}));
  ExpectBreaks(
      "math_c1",
      [](XlaBuilder*, absl::Span<const XlaOp> p) { return Lgamma(p[0]); }, x);
  ExpectBreaks(
      "math_c1",
      [](XlaBuilder*, absl::Span<const XlaOp> p) { return IsNan(p[0]); }, x);
  ExpectBreaks(
      "math_c2",
      [](XlaBuilder*, absl::Span<const XlaOp> p) { return Zeta(p[1], p[2]); },
      x);
}

}  // namespace
}  // namespace xla
