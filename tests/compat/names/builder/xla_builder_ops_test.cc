// Uses the ops of xla/hlo/builder/xla_builder.h that work on arrays and call no
// computation.
#include <cmath>
#include <functional>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::Ints;
using names_testing::Scalar;
using names_testing::ShapeOf;
using names_testing::TupleOf;
using names_testing::ValueOf;
using ::testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using BinaryOp = XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>);

std::string IntBinary(BinaryOp op) {
  return ValueOf(
      [&](XlaBuilder* b) { return op(Ints(b, {-7, 6}), Ints(b, {2, 3}), {}); });
}

TEST(XlaBuilderOpsNamesTest, IntegerBinary) {
  const std::vector<std::pair<BinaryOp, std::string>> table = {
      {Add, "{-5, 9}"},
      {Sub, "{-9, 3}"},
      {Mul, "{-14, 18}"},
      {Div, "{-3, 2}"},
      {Rem, "{-1, 0}"},
      {Max, "{2, 6}"},
      {Min, "{-7, 3}"},
      {Pow, "{49, 216}"},
      {And, "{0, 2}"},
      {Or, "{-5, 7}"},
      {Xor, "{-5, 5}"},
      {ShiftLeft, "{-28, 48}"},
      {ShiftRightArithmetic, "{-2, 0}"},
      {ShiftRightLogical, "{1073741822, 0}"},
      {Eq, "{0, 0}"},
      {Ne, "{1, 1}"},
      {Ge, "{0, 1}"},
      {Gt, "{0, 1}"},
      {Le, "{1, 0}"},
      {Lt, "{1, 0}"}};
  for (const auto& [op, expected] : table) {
    EXPECT_EQ(IntBinary(op), expected);
  }
}

TEST(XlaBuilderOpsNamesTest, Operators) {
  XlaBuilder b("b");
  XlaOp x = Ints(&b, {-7, 6});
  XlaOp y = Ints(&b, {2, 3});
  Tuple(&b, {-x, x + y, x - y, x * y, x / y, x % y, ~x, x & y, x | y, x ^ y,
             x << y, x >> y});
  EXPECT_EQ(names_testing::RunToText(&b),
            "( {7, -6}, {-5, 9}, {-9, 3}, {-14, 18}, {-3, 2}, {-1, 0}, {6, "
            "-7}, {0, 2}, {-5, 7}, {-5, 5}, {-28, 48}, {-2, 0} )");
}

TEST(XlaBuilderOpsNamesTest, BroadcastsSmallerOperand) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Add(ConstantR2<int32_t>(b, {{1, 2}, {3, 4}}),
                         Ints(b, {10, 20}), {0});
            }),
            "{ { 11, 12 }, { 23, 24 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Mul(Floats(b, {1, 2}), Scalar(b, 3));
            }),
            "{3, 6}");
}

TEST(XlaBuilderOpsNamesTest, LogicOfManyOperands) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return And(Ints(b, {15}), Ints(b, {7}), Ints(b, {5}));
            }),
            "{5}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return And(Ints(b, {15}), Ints(b, {7}), Ints(b, {5}),
                         Ints(b, {4}));
            }),
            "{4}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Or(Ints(b, {1}), Ints(b, {2}), Ints(b, {4}));
            }),
            "{7}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Or(Ints(b, {1}), Ints(b, {2}), Ints(b, {4}), Ints(b, {8}));
            }),
            "{15}");
}

TEST(XlaBuilderOpsNamesTest, Comparisons) {
  auto floats = [](BinaryOp op) {
    return ValueOf([&](XlaBuilder* b) {
      return op(Floats(b, {kNan, -0.0f, 1}), Floats(b, {kNan, 0.0f, 2}), {});
    });
  };
  const std::vector<std::pair<BinaryOp, std::string>> table = {
      {Eq, "{0, 1, 0}"},           {Le, "{0, 1, 1}"},
      {EqTotalOrder, "{1, 0, 0}"}, {NeTotalOrder, "{0, 1, 1}"},
      {GeTotalOrder, "{1, 0, 0}"}, {GtTotalOrder, "{0, 0, 0}"},
      {LeTotalOrder, "{1, 1, 1}"}, {LtTotalOrder, "{0, 1, 1}"}};
  for (const auto& [op, expected] : table) EXPECT_EQ(floats(op), expected);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Compare(Floats(b, {1}), Floats(b, {2}),
                             ComparisonDirection::kLt);
            }),
            "{1}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Compare(Floats(b, {1, 2}), Scalar(b, 2), {},
                             ComparisonDirection::kGe);
            }),
            "{0, 1}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Compare(Floats(b, {-0.0f}), Floats(b, {0.0f}), {},
                             ComparisonDirection::kEq,
                             Comparison::Type::kFloatTotalOrder);
            }),
            "{0}");
}

TEST(XlaBuilderOpsNamesTest, ExactUnary) {
  using UnaryOp = XlaOp (*)(XlaOp);
  auto floats = [](UnaryOp op) {
    return ValueOf(
        [&](XlaBuilder* b) { return op(Floats(b, {-2.5, 1.5, kInf})); });
  };
  const std::vector<std::pair<UnaryOp, std::string>> table = {
      {Abs, "{2.5, 1.5, inf}"},   {Ceil, "{-2, 2, inf}"},
      {Floor, "{-3, 1, inf}"},    {Round, "{-3, 2, inf}"},
      {Sign, "{-1, 1, 1}"},       {RoundNearestEven, "{-2, 2, inf}"},
      {Neg, "{2.5, -1.5, -inf}"}, {IsFinite, "{1, 1, 0}"},
      {Copy, "{-2.5, 1.5, inf}"}};
  for (const auto& [op, expected] : table) EXPECT_EQ(floats(op), expected);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Not(Ints(b, {0, 5})); }),
            "{-1, -6}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Clz(Ints(b, {1, 0})); }),
            "{31, 32}");
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return PopulationCount(Ints(b, {7, 8})); }),
      "{3, 1}");
}

TEST(XlaBuilderOpsNamesTest, Complex) {
  auto value = [](XlaBuilder* b) {
    return Complex(Floats(b, {3}), Floats(b, {4}));
  };
  EXPECT_EQ(ValueOf(value), "{(3, 4)}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Real(value(b)); }), "{3}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Imag(value(b)); }), "{4}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Conj(value(b)); }),
            "{(3, -4)}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Abs(value(b)); }), "{5}");
}

TEST(XlaBuilderOpsNamesTest, Functions) {
  using Function = XlaOp (*)(XlaOp, const std::optional<ResultAccuracy>&);
  const double x = 0.75;
  const std::vector<std::pair<Function, double>> table = {
      {Erf, std::erf(x)},     {Exp, std::exp(x)},
      {Expm1, std::expm1(x)}, {Log, std::log(x)},
      {Log1p, std::log1p(x)}, {Logistic, 1 / (1 + std::exp(-x))},
      {Cos, std::cos(x)},     {Sin, std::sin(x)},
      {Tan, std::tan(x)},     {Tanh, std::tanh(x)},
      {Sqrt, std::sqrt(x)},   {Rsqrt, 1 / std::sqrt(x)},
      {Cbrt, std::cbrt(x)}};
  ResultAccuracy highest;
  highest.set_mode(ResultAccuracy::HIGHEST);
  XlaBuilder b("b");
  std::vector<XlaOp> results;
  for (const auto& row : table) {
    results.push_back(row.first(ConstantR0<double>(&b, x), std::nullopt));
    results.push_back(row.first(ConstantR0<double>(&b, x), highest));
  }
  Tuple(&b, results);
  const Literal values = ClientLibrary::LocalClientOrDie()
                             ->ExecuteAndTransfer(b.Build().value(), {})
                             .value();
  for (size_t i = 0; i < table.size(); ++i) {
    for (int64_t form = 0; form < 2; ++form) {
      EXPECT_NEAR(values.Get<double>({}, {static_cast<int64_t>(2 * i) + form}),
                  table[i].second, 1e-14)
          << i;
    }
  }
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Atan2(Floats(b, {0}), Floats(b, {1}));
            }),
            "{0}");
}

TEST(XlaBuilderOpsNamesTest, SelectionAndConversion) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Select(ConstantR1<bool>(b, {true, false}),
                            Floats(b, {1, 2}), Floats(b, {3, 4}));
            }),
            "{1, 4}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Clamp(Scalar(b, 0), Floats(b, {-1, 0.5, 2}), Scalar(b, 1));
            }),
            "{0, 0.5, 1}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return ConvertElementType(Floats(b, {1.75, -1.75}), S32);
            }),
            "{1, -1}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return BitcastConvertType(Floats(b, {1}), S32);
            }),
            "{1065353216}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return StochasticConvertType(Floats(b, {3}),
                                           ConstantR1<uint32_t>(b, {0}), BF16);
            }),
            "{3}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return ReducePrecision(Floats(b, {1.0001}), 8, 7);
            }),
            "{1}");
}

TEST(XlaBuilderOpsNamesTest, Shapes) {
  auto matrix = [](XlaBuilder* b) {
    return ConstantR2<int32_t>(b, {{1, 2, 3}, {4, 5, 6}});
  };
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return Broadcast(Ints(b, {1, 2}), {2}); }),
      "{ { 1, 2 }, { 1, 2 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return BroadcastInDim(Ints(b, {1, 2}), {2, 2}, {0});
            }),
            "{ { 1, 1 }, { 2, 2 } }");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Reshape(matrix(b), {3, 2}); }),
            "{ { 1, 2 }, { 3, 4 }, { 5, 6 } }");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Reshape(ShapeUtil::MakeShape(S32, {6}), matrix(b));
            }),
            "{1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return ReshapeWithInferredDimension(matrix(b), {3, 2}, 0);
            }),
            "s32[3,2]");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Collapse(matrix(b), {0, 1}); }),
            "{1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(
      ValueOf([&](XlaBuilder* b) { return Transpose(matrix(b), {1, 0}); }),
      "{ { 1, 4 }, { 2, 5 }, { 3, 6 } }");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return Rev(matrix(b), {1}); }),
            "{ { 3, 2, 1 }, { 6, 5, 4 } }");
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) {
              return MhloDynamicBroadcastInDim(
                  Floats(b, {1, 2}), Ints(b, {3, 2}), {1},
                  ShapeUtil::MakeShape(F32, {3, 2}));
            }),
            "f32[3,2]");
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) {
              return MhloDynamicReshape(Floats(b, {1, 2}), Ints(b, {2, 1}),
                                        ShapeUtil::MakeShape(F32, {2, 1}));
            }),
            "f32[2,1]");
}

TEST(XlaBuilderOpsNamesTest, DynamicSizes) {
  auto bounded = [](XlaBuilder* b) {
    return SetDimensionSize(Ints(b, {1, 2, 3}), ConstantR0<int32_t>(b, 2), 0);
  };
  EXPECT_EQ(ShapeOf(bounded), "s32[<=3]");
  EXPECT_EQ(
      ValueOf([&](XlaBuilder* b) { return GetDimensionSize(bounded(b), 0); }),
      "2");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return RemoveDynamicDimension(bounded(b), 0);
            }),
            "s32[3]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return DynamicReshape(
                  bounded(b),
                  {ConstantR0<int32_t>(b, 1), ConstantR0<int32_t>(b, 2)},
                  {1, 3}, {false, true});
            }),
            "s32[1,<=3]");
}

TEST(XlaBuilderOpsNamesTest, Slices) {
  auto five = [](XlaBuilder* b) { return Iota(b, S32, 5); };
  auto at = [](XlaBuilder* b, int32_t i) { return ConstantR0<int32_t>(b, i); };
  EXPECT_EQ(
      ValueOf([&](XlaBuilder* b) { return Slice(five(b), {1}, {5}, {2}); }),
      "{1, 3}");
  EXPECT_EQ(
      ValueOf([&](XlaBuilder* b) { return SliceInDim(five(b), 0, 3, 1, 0); }),
      "{0, 1, 2}");
  // A slice that would reach out is moved inside.
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return DynamicSlice(five(b), {at(b, 9)}, {2});
            }),
            "{3, 4}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return DynamicUpdateSlice(five(b), Ints(b, {9}), {at(b, 1)});
            }),
            "{0, 9, 2, 3, 4}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return ConcatInDim(b, {Ints(b, {1}), Ints(b, {2, 3})}, 0);
            }),
            "{1, 2, 3}");
  PaddingConfig config;
  auto* dimension = config.add_dimensions();
  dimension->set_edge_padding_low(1);
  dimension->set_edge_padding_high(-1);
  dimension->set_interior_padding(1);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Pad(Ints(b, {1, 2}), at(b, 0), config);
            }),
            "{0, 1, 0}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return PadInDim(Ints(b, {1, 2}), at(b, 0), 0, 1, 2);
            }),
            "{0, 1, 2, 0, 0}");
  GatherDimensionNumbers numbers;
  numbers.add_collapsed_slice_dims(0);
  numbers.add_start_index_map(0);
  numbers.set_index_vector_dim(1);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Gather(five(b), Ints(b, {4, 0}), numbers, {1});
            }),
            "{4, 0}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Gather(five(b), Ints(b, {1, 2}), numbers, {1},
                            /*indices_are_sorted=*/true);
            }),
            "{1, 2}");
}

TEST(XlaBuilderOpsNamesTest, Products) {
  PrecisionConfig highest;
  highest.add_operand_precision(PrecisionConfig::HIGHEST);
  highest.add_operand_precision(PrecisionConfig::HIGHEST);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Dot(Floats(b, {1, 2}), Floats(b, {3, 4}));
            }),
            "11");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return Dot(Floats(b, {1, 2}), Floats(b, {3, 4}), &highest, F64);
            }),
            "f64[]");
  DotDimensionNumbers outer;
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return DotGeneral(Floats(b, {1, 2}), Floats(b, {3, 4}), outer);
            }),
            "{ { 3, 4 }, { 6, 8 } }");
  RaggedDotDimensionNumbers ragged;
  ragged.mutable_dot_dimension_numbers()->add_lhs_contracting_dimensions(1);
  ragged.mutable_dot_dimension_numbers()->add_rhs_contracting_dimensions(1);
  ragged.add_lhs_ragged_dimensions(0);
  ragged.add_rhs_group_dimensions(0);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return RaggedDot(ConstantR2<float>(b, {{1}, {1}, {1}}),
                               Reshape(Floats(b, {5, 7}), {2, 1, 1}),
                               Ints(b, {1, 2}), ragged);
            }),
            "{ {5}, {7}, {7} }");
}

TEST(XlaBuilderOpsNamesTest, Convolutions) {
  auto image = [](XlaBuilder* b) {
    return Reshape(Floats(b, {1, 2, 3, 4}), {1, 1, 4});
  };
  auto kernel = [](XlaBuilder* b) {
    return Reshape(Floats(b, {1, 10}), {1, 1, 2});
  };
  const ConvolutionDimensionNumbers numbers =
      XlaBuilder::CreateDefaultConvDimensionNumbers(1);
  auto flat = [](std::function<XlaOp(XlaBuilder*)> make) {
    return ValueOf([&](XlaBuilder* b) {
      XlaOp op = make(b);
      const Shape shape = b->GetShape(op).value();
      return Reshape(op, {ShapeUtil::ElementsIn(shape)});
    });
  };
  EXPECT_EQ(flat([&](XlaBuilder* b) {
              return Conv(image(b), kernel(b), {1}, Padding::kValid);
            }),
            "{21, 32, 43}");
  EXPECT_EQ(flat([&](XlaBuilder* b) {
              return ConvWithGeneralPadding(image(b), kernel(b), {1}, {{1, 0}});
            }),
            "{10, 21, 32, 43}");
  EXPECT_EQ(flat([&](XlaBuilder* b) {
              return ConvWithGeneralDimensions(image(b), kernel(b), {2},
                                               Padding::kSame, numbers);
            }),
            "{21, 43}");
  EXPECT_EQ(flat([&](XlaBuilder* b) {
              return ConvGeneral(image(b), kernel(b), {1}, {{0, 1}}, numbers);
            }),
            "{21, 32, 43, 4}");
  EXPECT_EQ(flat([&](XlaBuilder* b) {
              return ConvGeneralDilated(image(b), kernel(b), {1}, {{0, 0}}, {1},
                                        {2}, numbers);
            }),
            "{31, 42}");
  EXPECT_EQ(flat([&](XlaBuilder* b) {
              return ConvGeneralDilated(image(b), kernel(b), {1}, {{0, 0}}, {1},
                                        {1}, numbers, 1, 1, nullptr,
                                        std::nullopt, std::vector<bool>{true});
            }),
            "{12, 23, 34}");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return DynamicConvForward(image(b), kernel(b), {1}, {{0, 0}}, {1},
                                        {1}, numbers, 1, 1, nullptr,
                                        PaddingType::PADDING_VALID);
            }),
            "f32[1,1,3]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return DynamicConvInputGrad(
                  Ints(b, {1, 1, 4}), Reshape(Floats(b, {1, 2, 3}), {1, 1, 3}),
                  kernel(b), {1}, {{1, 1}}, {1}, {1}, numbers, 1, 1, nullptr,
                  PaddingType::PADDING_VALID);
            }),
            "f32[1,1,4]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return DynamicConvKernelGrad(
                  image(b), Reshape(Floats(b, {1, 2, 3}), {1, 1, 3}), {1},
                  {{0, 0}}, {1}, {1}, numbers, 1, 1, nullptr,
                  PaddingType::PADDING_VALID);
            }),
            "f32[1,1,2]");
}

TEST(XlaBuilderOpsNamesTest, Numerics) {
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) {
        return Real(Fft(ConstantR1<complex64>(b, {1, 2}), FftType::FFT, {2}));
      }),
      "{3, -1}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TriangularSolve(ConstantR2<float>(b, {{2, 0}, {1, 1}}),
                                     ConstantR2<float>(b, {{2}, {3}}),
                                     /*left_side=*/true,
                                     /*lower=*/true, /*unit_diagonal=*/false,
                                     TriangularSolveOptions::NO_TRANSPOSE);
            }),
            "{ {1}, {2} }");
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) {
        return GetTupleElement(
            Tuple(b, {Slice(Cholesky(ConstantR2<float>(b, {{4, 2}, {2, 5}}),
                                     /*lower=*/true),
                            {1, 0}, {2, 2}, {1, 1})}),
            0);
      }),
      "{ { 1, 2 } }");
  auto rows = [](XlaBuilder* b) {
    return ConstantR2<float>(b, {{1, 3}, {3, 5}});
  };
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return BatchNormTraining(rows(b), Floats(b, {1, 1}),
                                       Floats(b, {0, 0}), 0, 1);
            }),
            "( { { -1, -1 }, { 1, 1 } }, {2, 4}, {1, 1} )");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return BatchNormInference(rows(b), Floats(b, {1, 2}),
                                        Floats(b, {0, 1}), Floats(b, {1, 3}),
                                        Floats(b, {1, 1}), 0, 1);
            }),
            "{ { 0, 1 }, { 2, 5 } }");
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return BatchNormGrad(rows(b), Floats(b, {1, 1}),
                                   Floats(b, {2, 4}), Floats(b, {1, 1}),
                                   ConstantR2<float>(b, {{1, 1}, {1, 1}}), 0,
                                   1);
            }),
            "( { { 0, 0 }, { 0, 0 } }, {0, 0}, {2, 2} )");
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return TopK(Floats(b, {1, 3, 2}), 2, /*largest=*/true);
            }),
            "( {3, 2}, {1, 2} )");
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return TopK(Floats(b, {1, 3, 2}), 1, /*largest=*/false);
            }),
            "( {1}, {0} )");
}

TEST(XlaBuilderOpsNamesTest, RandomNumbers) {
  const Shape shape = ShapeUtil::MakeShape(F32, {3});
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              XlaOp x = RngUniform(Scalar(b, 2), Scalar(b, 3), shape);
              return And(Ge(x, Scalar(b, 2)), Lt(x, Scalar(b, 3)));
            }),
            "{1, 1, 1}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return RngNormal(Scalar(b, 5), Scalar(b, 0), shape);
            }),
            "{5, 5, 5}");
  EXPECT_THAT(ShapeOf([](XlaBuilder* b) {
                return RngBitGenerator(RandomAlgorithm::RNG_THREE_FRY,
                                       ConstantR1<uint64_t>(b, {1, 2}),
                                       ShapeUtil::MakeShape(U32, {4}));
              }),
              HasSubstr("u64[2], u32[4]"));
}

}  // namespace
}  // namespace xla
