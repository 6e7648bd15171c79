// Worked examples of the operation semantics: reductions, windows and batch
// normalization.
#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"
#include "xla/hlo/builder/lib/arithmetic.h"

namespace xla::spec {
namespace {

using Dims = std::vector<int64_t>;

// The document's 4x2x3 array: 1 to 6 in each of 4 matrices.
Literal OneToSix() {
  return Filled({4, 2, 3}, [](absl::Span<const int64_t> i) {
    return 1 + i[1] * 3 + i[2];
  });
}

std::string SumOver(const Literal& operand, const Dims& dimensions) {
  XlaBuilder b("sum");
  Reduce(ConstantLiteral(&b, operand), ConstantR0<float>(&b, 0),
         CreateScalarAddComputation(F32, &b), dimensions);
  return BuildAndRun(b);
}

TEST(ReduceTest, Vector) {
  EXPECT_EQ(SumOver(Value("f32[4] {10, 11, 12, 13}"), {0}), "f32[] 46");
}

TEST(ReduceTest, Matrix) {
  const Literal matrix = Value("f32[2,3] {{1, 2, 3}, {4, 5, 6}}");
  EXPECT_EQ(SumOver(matrix, {0}), Text("f32[3] {5, 7, 9}"));
  EXPECT_EQ(SumOver(matrix, {1}), Text("f32[2] {6, 15}"));
}

TEST(ReduceTest, Cuboid) {
  EXPECT_EQ(SumOver(OneToSix(), {0}),
            Text("f32[2,3] {{4, 8, 12}, {16, 20, 24}}"));
  EXPECT_EQ(SumOver(OneToSix(), {2}),
            Text("f32[4,2] {{6, 15}, {6, 15}, {6, 15}, {6, 15}}"));
  EXPECT_EQ(SumOver(OneToSix(), {0, 1}), Text("f32[3] {20, 28, 36}"));
  EXPECT_EQ(SumOver(OneToSix(), {0, 1, 2}), "f32[] 84");
}

// `dimensions` is an unordered list.
TEST(ReduceTest, DimensionsInAnyOrder) {
  EXPECT_EQ(SumOver(OneToSix(), {1, 0}), Text("f32[3] {20, 28, 36}"));
}

// The document's f(max, argmax, value, index), on values and an iota.
TEST(ReduceTest, MaximumAndItsIndex) {
  XlaBuilder b("argmax");
  const std::unique_ptr<XlaBuilder> f = b.CreateSubBuilder("f");
  const Shape real = ShapeUtil::MakeShape(F32, {});
  const Shape integer = ShapeUtil::MakeShape(S32, {});
  const XlaOp max = Parameter(f.get(), 0, real, "max");
  const XlaOp argmax = Parameter(f.get(), 1, integer, "argmax");
  const XlaOp value = Parameter(f.get(), 2, real, "value");
  const XlaOp index = Parameter(f.get(), 3, integer, "index");
  const XlaOp later = Ge(value, max);
  Tuple(f.get(), {Select(later, value, max), Select(later, index, argmax)});
  Reduce(&b, {Constant(b, "f32[6] {3, 9, -2, 9, 1, 8}"), Iota(&b, S32, 6)},
         {ConstantLiteral(&b, LiteralUtil::MinValue(F32)),
          ConstantR0<int32_t>(&b, 0)},
         *f->Build(), {0});
  EXPECT_EQ(BuildAndRun(b), Text("(f32[], s32[]) (9, 3)"));
}

// The document's program, on an input like that of its figure.
TEST(ReduceWindowTest, Maximum2x3) {
  XlaComputation max;
  {
    XlaBuilder builder("max");
    const XlaOp y = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {}), "y");
    const XlaOp x = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {}), "x");
    Max(y, x);
    max = builder.Build().value();
  }
  XlaBuilder builder("reduce_window_2x3");
  const XlaOp input =
      Constant(builder,
               "f32[4,6] {{7, 2, 5, 3, 10, 2}, {3, 8, 9, 3, 4, 2}, "
               "{1, 5, 7, 5, 6, 1}, {0, 6, 2, 7, 2, 8}}");
  ReduceWindow(input, ConstantLiteral(&builder, LiteralUtil::MinValue(F32)),
               max, /*window_dimensions=*/{2, 3}, /*window_strides=*/{2, 3},
               Padding::kValid);
  EXPECT_EQ(BuildAndRun(builder), Text("f32[2,2] {{9, 10}, {7, 8}}"));
}

std::string WindowMinima(Padding padding) {
  XlaBuilder b("min");
  ReduceWindow(Constant(b, "f32[5] {10000, 1000, 100, 10, 1}"),
               ConstantLiteral(&b, LiteralUtil::MaxValue(F32)),
               CreateScalarMinComputation(F32, &b), {3}, {2}, padding);
  return BuildAndRun(b);
}

TEST(ReduceWindowTest, MinimumWithoutPadding) {
  EXPECT_EQ(WindowMinima(Padding::kValid), Text("f32[2] {100, 1}"));
}

TEST(ReduceWindowTest, MinimumWithSamePadding) {
  EXPECT_EQ(WindowMinima(Padding::kSame), Text("f32[3] {1000, 10, 1}"));
}

// "A stride of 1: each window is one element from the next", and padding that
// keeps the size.
TEST(ReduceWindowTest, StrideOneKeepsTheSize) {
  XlaBuilder b("sums");
  ReduceWindow(Constant(b, "f32[4] {1, 2, 3, 4}"), ConstantR0<float>(&b, 0),
               CreateScalarAddComputation(F32, &b), {3}, {1}, Padding::kSame);
  EXPECT_EQ(BuildAndRun(b), Text("f32[4] {3, 6, 9, 7}"));
}

std::string Scattered(absl::string_view operand, const Dims& strides) {
  XlaBuilder b("scatter");
  SelectAndScatter(
      Constant(b, operand), CreateScalarGeComputation(F32, &b), {2, 3}, strides,
      Padding::kValid, Constant(b, "f32[2,2] {{2, 6}, {3, 1}}"),
      ConstantR0<float>(&b, 0), CreateScalarAddComputation(F32, &b));
  return BuildAndRun(b);
}

TEST(SelectAndScatterTest, WindowsApart) {
  EXPECT_EQ(Scattered("f32[4,6] {{7, 2, 5, 3, 10, 2}, {3, 8, 9, 3, 4, 2}, "
                      "{1, 5, 7, 5, 6, 1}, {0, 6, 2, 7, 2, 8}}",
                      {2, 3}),
            Text("f32[4,6] {{0, 0, 0, 0, 6, 0}, {0, 0, 2, 0, 0, 0}, "
                 "{0, 0, 3, 0, 0, 0}, {0, 0, 0, 0, 0, 1}}"));
}

// Both upper windows select the 9: 2 + 6.
TEST(SelectAndScatterTest, WindowsOverlap) {
  EXPECT_EQ(Scattered("f32[4,5] {{7, 2, 5, 3, 8}, {3, 8, 9, 3, 4}, "
                      "{1, 5, 7, 5, 6}, {0, 6, 2, 10, 2}}",
                      {2, 2}),
            Text("f32[4,5] {{0, 0, 0, 0, 0}, {0, 0, 8, 0, 0}, "
                 "{0, 0, 3, 0, 0}, {0, 0, 0, 1, 0}}"));
}

// The formulas of batch normalization, for x[i,j,k,l] with feature index 3.
struct BatchNorm {
  const Dims sizes = {3, 2, 2, 2};
  const double epsilon = 0.001;
  Literal x = Filled(sizes, [n = 0](auto) mutable { return n++ * 5 % 7; });
  Literal gradient =
      Filled(sizes, [n = 0](auto) mutable { return n++ * 3 % 5 - 2; });
  Literal scale = Value("f32[2] {1.5, -2}");
  Literal offset = Value("f32[2] {0.25, 3}");

  static double At(const Literal& literal, const Dims& index) {
    return literal.Get<float>(index);
  }
  // Returns 1/mwh times the sum of f over the batch and the space.
  double Mean(int64_t l, const std::function<double(const Dims&)>& f) const {
    double sum = 0;
    for (const Dims& i : Indices(sizes)) sum += i[3] == l ? f(i) : 0;
    return sum / 12;
  }
  double Mu(int64_t l) const {
    return Mean(l, [&](const Dims& i) { return At(x, i); });
  }
  double Variance(int64_t l) const {
    return Mean(l,
                [&](const Dims& i) { return std::pow(At(x, i) - Mu(l), 2); });
  }
  double Normal(const Dims& i) const {
    return At(scale, {i[3]}) * (At(x, i) - Mu(i[3])) /
               std::sqrt(Variance(i[3]) + epsilon) +
           At(offset, {i[3]});
  }
  Literal OfFeatures(const std::function<double(int64_t)>& f) const {
    return Filled({2}, [&](absl::Span<const int64_t> l) { return f(l[0]); });
  }
};

void ExpectNear(const Literal& got, int64_t part,
                const std::function<double(const Dims&)>& want) {
  const Shape& shape = got.shape().tuple_shapes(part);
  for (const Dims& i :
       Indices(Dims(shape.dimensions().begin(), shape.dimensions().end()))) {
    EXPECT_NEAR(got.Get<float>(i, {part}), want(i), 2e-5);
  }
}

TEST(BatchNormTrainingTest, Formulas) {
  const BatchNorm norm;
  XlaBuilder b("training");
  BatchNormTraining(ConstantLiteral(&b, norm.x),
                    ConstantLiteral(&b, norm.scale),
                    ConstantLiteral(&b, norm.offset), norm.epsilon, 3);
  const Literal result = RunToLiteral(b);
  ExpectNear(result, 0, [&](const Dims& i) { return norm.Normal(i); });
  ExpectNear(result, 1, [&](const Dims& l) { return norm.Mu(l[0]); });
  ExpectNear(result, 2, [&](const Dims& l) { return norm.Variance(l[0]); });
}

// Like training, with the batch's mean and variance given.
TEST(BatchNormInferenceTest, IsTrainingWithGivenMoments) {
  const BatchNorm norm;
  XlaBuilder b("inference");
  const XlaOp x = ConstantLiteral(&b, norm.x);
  const XlaOp scale = ConstantLiteral(&b, norm.scale);
  const XlaOp offset = ConstantLiteral(&b, norm.offset);
  const XlaOp trained = BatchNormTraining(x, scale, offset, norm.epsilon, 3);
  Tuple(&b, {BatchNormInference(x, scale, offset, GetTupleElement(trained, 1),
                                GetTupleElement(trained, 2), norm.epsilon, 3)});
  const Literal result = RunToLiteral(b);
  ExpectNear(result, 0, [&](const Dims& i) { return norm.Normal(i); });
}

TEST(BatchNormGradTest, Formulas) {
  const BatchNorm norm;
  XlaBuilder b("grad");
  BatchNormGrad(
      ConstantLiteral(&b, norm.x), ConstantLiteral(&b, norm.scale),
      ConstantLiteral(&b, norm.OfFeatures([&](auto l) { return norm.Mu(l); })),
      ConstantLiteral(
          &b, norm.OfFeatures([&](auto l) { return norm.Variance(l); })),
      ConstantLiteral(&b, norm.gradient), norm.epsilon, 3);
  const Literal result = RunToLiteral(b);
  const auto dy = [&](const Dims& i) { return norm.At(norm.gradient, i); };
  const auto centered = [&](const Dims& i) {
    return norm.At(norm.x, i) - norm.Mu(i[3]);
  };
  const auto spread = [&](int64_t l) {
    return norm.Variance(l) + norm.epsilon;
  };
  ExpectNear(result, 0, [&](const Dims& i) {
    const int64_t l = i[3];
    const double c = norm.Mean(
        l, [&](const Dims& j) { return dy(j) * centered(j) / spread(l); });
    const double d = norm.Mean(l, dy);
    return norm.At(norm.scale, {l}) / std::sqrt(spread(l)) *
           (dy(i) - d - c * centered(i));
  });
  ExpectNear(result, 1, [&](const Dims& l) {
    return 12 * norm.Mean(l[0], [&](const Dims& j) {
      return dy(j) * centered(j) / std::sqrt(spread(l[0]));
    });
  });
  ExpectNear(result, 2,
             [&](const Dims& l) { return 12 * norm.Mean(l[0], dy); });
}

}  // namespace
}  // namespace xla::spec
