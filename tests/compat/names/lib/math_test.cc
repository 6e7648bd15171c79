// Uses every name of xla/hlo/builder/lib/math.h.
#include "xla/hlo/builder/lib/math.h"

#include <cmath>
#include <functional>
#include <limits>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::ShapeOf;
using names_testing::ValueOf;

constexpr double kPi = 3.14159265358979323846;

double NumberOf(absl::FunctionRef<XlaOp(XlaBuilder*)> make) {
  XlaBuilder b("number");
  make(&b);
  return ClientLibrary::LocalClientOrDie()
      ->ExecuteAndTransfer(b.Build().value(), {})
      .value()
      .Get<double>({});
}

XlaOp Number(XlaBuilder* b, double x) { return ConstantR0<double>(b, x); }

TEST(LibMathNamesTest, Tests) {
  using Test = XlaOp (*)(XlaOp);
  const std::vector<std::pair<Test, std::string>> table = {
      {IsPosInf, "{1, 0, 0, 0}"},
      {IsNegInf, "{0, 1, 0, 0}"},
      {IsInf, "{1, 1, 0, 0}"},
      {IsNan, "{0, 0, 1, 0}"},
      {IsNegZero, "{0, 0, 0, 1}"}};
  const float inf = std::numeric_limits<float>::infinity();
  for (const auto& row : table) {
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
                return row.first(Floats(b, {inf, -inf, NAN, -0.0f}));
              }),
              row.second);
  }
  EXPECT_NE(ShapeOf([](XlaBuilder* b) {
              return IsInf(ConstantR0<int32_t>(b, 1));
            }).find("math_c1"),
            std::string::npos);
}

TEST(LibMathNamesTest, OneArgument) {
  using Function = std::function<XlaOp(XlaOp)>;
  const double x = 0.375;
  const std::vector<std::pair<Function, double>> table = {
      {Square, x * x},
      {Reciprocal, 1 / x},
      {Erfc, std::erfc(x)},
      {[](XlaOp x) { return Erf(ErfInv(x)); }, x},
      {Lgamma, std::lgamma(x)},
      {[](XlaOp x) {
         return Digamma(Add(x, ConstantR0<double>(x.builder(), 1))) -
                Digamma(x);
       },
       1 / x},
      {RoundToEven, 0},
      {[](XlaOp x) { return Acos(x); }, std::acos(x)},
      {[](XlaOp x) { return Asin(x); }, std::asin(x)},
      {Atan, std::atan(x)},
      {[](XlaOp x) { return Acosh(Reciprocal(x)); }, std::acosh(1 / x)},
      {[](XlaOp x) { return Asinh(x); }, std::asinh(x)},
      {[](XlaOp x) { return Atanh(x); }, std::atanh(x)},
      {[](XlaOp x) { return Cosh(x); }, std::cosh(x)},
      {[](XlaOp x) { return Sinh(x); }, std::sinh(x)},
      {BesselI0e, std::exp(-x) * std::cyl_bessel_i(0, x)},
      {BesselI1e, std::exp(-x) * std::cyl_bessel_i(1, x)}};
  for (size_t i = 0; i < table.size(); ++i) {
    EXPECT_NEAR(
        NumberOf([&](XlaBuilder* b) { return table[i].first(Number(b, x)); }),
        table[i].second, 1e-13)
        << i;
  }
}

TEST(LibMathNamesTest, Accuracy) {
  ResultAccuracy highest;
  highest.set_mode(ResultAccuracy::HIGHEST);
  using Function = XlaOp (*)(XlaOp, const std::optional<ResultAccuracy>&, bool);
  for (Function function :
       {Function(Acos), Function(Asin), Function(Acosh), Function(Asinh),
        Function(Atanh), Function(Cosh), Function(Sinh)}) {
    XlaBuilder b("accuracy");
    function(Number(&b, 1), highest, /*expand=*/false);
    const XlaComputation program = b.Build().value();
    const auto& ops = program.proto().computations(0).instructions();
    EXPECT_EQ(ops.at(ops.size() - 1).result_accuracy().mode(),
              ResultAccuracy::HIGHEST);
    EXPECT_EQ(NumberOf([&](XlaBuilder* b) {
                return function(Number(b, 1), std::nullopt, true);
              }),
              NumberOf([&](XlaBuilder* b) {
                return function(Number(b, 1), std::nullopt, false);
              }));
  }
}

TEST(LibMathNamesTest, SeveralArguments) {
  auto two = [](XlaOp (*function)(XlaOp, XlaOp), double x, double y) {
    return NumberOf(
        [&](XlaBuilder* b) { return function(Number(b, x), Number(b, y)); });
  };
  EXPECT_EQ(two(NextAfter, 1, 2), std::nextafter(1.0, 2.0));
  EXPECT_EQ(two(NextAfter, 0, -1), std::nextafter(0.0, -1.0));
  // P(1, x) = 1 - exp(-x).
  EXPECT_NEAR(two(Igamma, 1, 0.5), 1 - std::exp(-0.5), 1e-14);
  EXPECT_NEAR(two(Igammac, 1, 0.5), std::exp(-0.5), 1e-14);
  const double h = 1e-6;
  EXPECT_NEAR(two(IgammaGradA, 2, 1.5),
              (two(Igamma, 2 + h, 1.5) - two(Igamma, 2 - h, 1.5)) / (2 * h),
              1e-8);
  // -(dP/da) / (dP/dx), where dP/dx = x exp(-x) for a = 2.
  EXPECT_NEAR(two(RandomGammaGrad, 2, 1.5),
              -two(IgammaGradA, 2, 1.5) / (1.5 * std::exp(-1.5)), 1e-12);
  EXPECT_NEAR(two(Polygamma, 1, 1), kPi * kPi / 6, 1e-13);
  EXPECT_NEAR(two(Zeta, 2, 1), kPi * kPi / 6, 1e-13);
  // I_x(1, 1) = x, I_x(2, 1) = x^2.
  EXPECT_NEAR(NumberOf([](XlaBuilder* b) {
                return RegularizedIncompleteBeta(Number(b, 2), Number(b, 1),
                                                 Number(b, 0.5));
              }),
              0.25, 1e-14);
}

TEST(LibMathNamesTest, MaybeConjugate) {
  for (bool conjugate : {false, true}) {
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
                return MaybeConjugate(Complex(Floats(b, {1}), Floats(b, {2})),
                                      conjugate);
              }),
              conjugate ? "{(1, -2)}" : "{(1, 2)}");
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
                return MaybeConjugate(Floats(b, {1}), conjugate);
              }),
              "{1}");
  }
}

}  // namespace
}  // namespace xla
