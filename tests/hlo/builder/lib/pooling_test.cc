// Pooling of small images, and the sizes of gradients of convolutions.
#include "xla/hlo/builder/lib/pooling.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/conv_grad_size_util.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;
using Padding2 = std::vector<std::pair<int64_t, int64_t>>;

// Returns an image of batch 1, one feature, 3 x 4 elements 1 to 12.
std::vector<Literal> Image() {
  Literal image(ShapeUtil::MakeShape(F32, {1, 1, 3, 4}));
  for (int i = 0; i < 12; ++i) image.data<float>()[i] = i + 1;
  std::vector<Literal> result;
  result.push_back(std::move(image));
  return result;
}

TensorFormat Format() { return TensorFormat(0, 1, {2, 3}); }

std::string Averages(const Padding2& padding, bool counts_include_padding) {
  return RunToText(
      [&](XlaBuilder*, Ops p) {
        return Reshape(AvgPool(p[0], {1, 1, 2, 2}, {1, 1, 2, 2}, padding,
                               Format(), counts_include_padding),
                       {4});
      },
      Image());
}

std::string Maxima(Padding padding, int64_t windows) {
  return RunToText(
      [&](XlaBuilder*, Ops p) {
        return Reshape(
            MaxPool(p[0], {1, 1, 2, 2}, {1, 1, 2, 2}, padding, Format()),
            {windows});
      },
      Image());
}

TEST(PoolingTest, MaxPool) {
  EXPECT_EQ(Maxima(Padding::kValid, 2), "{6, 8}");
  EXPECT_EQ(Maxima(Padding::kSame, 4), "{6, 8, 10, 12}");
}

TEST(PoolingTest, AvgPool) {
  EXPECT_EQ(Averages({{0, 1}, {0, 0}}, true), "{3.5, 5.5, 4.75, 5.75}");
  EXPECT_EQ(Averages({{0, 1}, {0, 0}}, false), "{3.5, 5.5, 9.5, 11.5}");
}

TEST(PoolingTest, SpatialPadding) {
  EXPECT_EQ(MakeSpatialPadding({1, 1, 3, 4}, {1, 1, 2, 2}, {1, 1, 2, 2},
                               Padding::kSame, Format()),
            (Padding2{{0, 1}, {0, 0}}));
}

// <AvgPool(x), g> = <x, AvgPoolGrad(g)> for all x and g: the gradient is the
// transpose.
TEST(PoolingTest, AvgPoolGradIsTheTranspose) {
  for (bool include : {false, true}) {
    for (const Padding2& padding :
         {Padding2{{0, 1}, {0, 0}}, Padding2{{1, 0}, {1, 1}}}) {
      const std::vector<int64_t> kernel = {1, 1, 2, 3};
      const std::vector<int64_t> stride = {1, 1, 2, 1};
      std::vector<Literal> x;
      x.push_back(RandomLiteral(F64, {1, 1, 3, 4}));
      auto pool = [&](XlaOp p) {
        return AvgPool(p, kernel, stride, padding, Format(), include);
      };
      const absl::StatusOr<Literal> pooled =
          RunOp([&](XlaBuilder*, Ops p) { return pool(p[0]); }, x);
      ASSERT_TRUE(pooled.ok()) << pooled.status();
      x.push_back(RandomLiteral(F64, pooled->shape().dimensions(), 1));
      const absl::StatusOr<Literal> gradient = RunOp(
          [&](XlaBuilder*, Ops p) {
            return AvgPoolGrad(p[1], {1, 1, 3, 4}, kernel, stride, padding,
                               Format(), include);
          },
          x);
      ASSERT_TRUE(gradient.ok()) << gradient.status();
      ASSERT_EQ(gradient->shape().dimensions(), x[0].shape().dimensions());
      double forward = 0, backward = 0;
      for (int64_t i = 0; i < pooled->element_count(); ++i) {
        forward += pooled->data<double>()[i] * x[1].data<double>()[i];
      }
      for (int64_t i = 0; i < 12; ++i) {
        backward += gradient->data<double>()[i] * x[0].data<double>()[i];
      }
      EXPECT_NEAR(forward, backward, 1e-14);
    }
  }
}

TEST(PoolingTest, Rules) {
  ExpectBreaks(
      "pooling_c1",
      [](XlaBuilder*, Ops p) {
        return AvgPool(p[0], {1, 1, 2}, {1, 1, 2, 2}, {{0, 0}, {0, 0}},
                       Format(), true);
      },
      Image());
  ExpectBreaks(
      "pooling_c1",
      [](XlaBuilder*, Ops p) {
        return AvgPoolGrad(p[0], {1}, {1, 1, 2, 2}, {1, 1, 2, 2},
                           {{0, 0}, {0, 0}}, Format(), true);
      },
      Image());
}

TEST(ConvGradSizeTest, SizesAndRules) {
  auto same = ConvGradExtractAndVerifyDimension(5, 3, 3, 1, 2, Padding::kSame);
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->output_size, 5);
  EXPECT_EQ(same->pad_before, 1);
  EXPECT_EQ(same->pad_after, 1);
  auto valid =
      ConvGradExtractAndVerifyDimension(6, 3, 2, 1, 2, Padding::kValid);
  ASSERT_TRUE(valid.ok()) << valid.status();
  EXPECT_EQ(valid->output_size, 3);
  EXPECT_EQ(valid->pad_before, 2);
  EXPECT_EQ(valid->pad_after, 3);
  auto error = [](int64_t output, int64_t stride) {
    return std::string(ConvGradExtractAndVerifyDimension(
                           6, 3, output, 1, stride, Padding::kValid)
                           .status()
                           .message());
  };
  EXPECT_THAT(error(2, 0), BreaksRule("conv_grad_c1"));
  EXPECT_THAT(error(3, 2), BreaksRule("conv_grad_c2"));
}

}  // namespace
}  // namespace xla
