// Uses every public name of xla/reference_util.h, on values that are worked out
// by hand or by HLO.
#include "xla/reference_util.h"

#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "xla/client/padding.h"
#include "xla/literal_util.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

template <typename A>
auto Values(const A& array) {
  return std::vector(array.begin(), array.end());
}

Array2D<float> Matrix() { return {{1, 2, 3}, {4, 5, 6}}; }
Array3D<float> Cube() { return {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}; }
Array4D<float> Image(int64_t height, int64_t width) {
  Array4D<float> image(1, 1, height, width);
  image.FillIota(1);
  return image;
}
float Max(float a, float b) { return std::max(a, b); }
float Add(float a, float b) { return a + b; }

PaddingConfig Padded(int64_t rank, int64_t low, int64_t high,
                     int64_t interior) {
  PaddingConfig padding;
  for (int64_t i = 0; i < rank; ++i) {
    auto* dimension = padding.add_dimensions();
    dimension->set_edge_padding_low(low);
    dimension->set_edge_padding_high(high);
    dimension->set_interior_padding(interior);
  }
  return padding;
}

TEST(ReferenceUtilNamesTest, Products) {
  const Array2D<float> right = {{1, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(*ReferenceUtil::MatmulArray2D(Matrix(), right),
            (Array2D<float>{{4, 5}, {10, 11}}));
  const Array2D<int32_t> whole = {{3}};
  EXPECT_EQ(*ReferenceUtil::MatmulArray2D(whole, whole), Array2D<int32_t>{{9}});
  EXPECT_EQ(*ReferenceUtil::TransposeArray2D(Matrix()),
            (Array2D<float>{{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(*ReferenceUtil::Array2DF32ToF64(Matrix()),
            (Array2D<double>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(ReferenceUtilNamesTest, Convolutions) {
  const Array4D<float> kernel(1, 1, 2, 2, 1.0f);
  EXPECT_THAT(Values(*ReferenceUtil::ConvArray4D(Image(3, 3), kernel, {1, 1},
                                                 Padding::kValid)),
              ElementsAre(12, 16, 24, 28));
  EXPECT_THAT(Values(*ReferenceUtil::ConvArray4D(Image(3, 3), kernel, {2, 2},
                                                 Padding::kSame)),
              ElementsAre(12, 9, 15, 9));
  const ConvolutionDimensionNumbers dims =
      XlaBuilder::CreateDefaultConvDimensionNumbers();
  EXPECT_THAT(
      Values(*ReferenceUtil::ConvArray4DGeneralDimensionsDilated(
          Image(3, 3), kernel, {1, 1}, Padding::kValid, {1, 1}, {2, 2}, dims)),
      ElementsAre(1 + 3 + 7 + 9));
  // Rows [1, 0, 2] and so on, by windows of two.
  EXPECT_THAT(
      Values(*ReferenceUtil::ConvArray4DGeneralDimensionsDilated(
          Image(2, 2), kernel, {1, 1}, Padding::kValid, {2, 2}, {1, 1}, dims)),
      ElementsAre(1, 2, 3, 4));
  const Array3D<float> row = {{{1, 2, 3, 4}}};
  EXPECT_THAT(Values(*ReferenceUtil::ConvArray3D(
                  row, Array3D<float>({{{1, 10}}}), 1, Padding::kValid)),
              ElementsAre(21, 32, 43));
  const Array4D<float> pointwise(2, 1, 1, 1, {1.0f, 3.0f});
  EXPECT_THAT(Values(*ReferenceUtil::SeparableConvArray4D(
                  Image(2, 2), kernel, pointwise, {1, 1}, Padding::kValid)),
              ElementsAre(10, 30));
}

TEST(ReferenceUtilNamesTest, Reductions) {
  EXPECT_THAT(*ReferenceUtil::ReduceToColArray2D(Matrix(), 0, Add),
              ElementsAre(6, 15));
  EXPECT_THAT(*ReferenceUtil::ReduceToRowArray2D(Matrix(), 0, Add),
              ElementsAre(5, 7, 9));
  EXPECT_THAT(ReferenceUtil::ReduceR2ToR1(Matrix(), 0, 5.5f, Max),
              ElementsAre(5.5f, 5.5f, 6));
  EXPECT_EQ(*ReferenceUtil::Reduce3DTo2D(Cube(), 0, {1}, Add),
            (Array2D<float>{{4, 6}, {12, 14}}));
  EXPECT_THAT(ReferenceUtil::Reduce4DTo1D(Image(2, 3), 0, {0, 1, 2}, Add),
              ElementsAre(5, 7, 9));
  EXPECT_THAT(ReferenceUtil::Reduce4DTo1D(Array4D<float>(2, 0, 1, 1), 7,
                                          {1, 2, 3}, Add),
              ElementsAre(7, 7));
}

TEST(ReferenceUtilNamesTest, Windows) {
  EXPECT_EQ(ReferenceUtil::WindowCount(5, 2, 2, Padding::kValid), 2);
  EXPECT_EQ(ReferenceUtil::WindowCount(5, 2, 2, Padding::kSame), 3);
  EXPECT_THAT(*ReferenceUtil::ReduceWindow1DAdd({1, 2, 3, 4, 5}, 0, {2}, {2},
                                                Padding::kValid),
              ElementsAre(3, 7));
  EXPECT_THAT(*ReferenceUtil::ReduceWindow1DAdd({1, 2, 3, 4, 5}, 0, {2}, {2},
                                                Padding::kSame),
              ElementsAre(3, 7, 5));
  EXPECT_THAT(*ReferenceUtil::ReduceWindow1DGeneric({1, 9, 3}, 2, Max, {2}, {1},
                                                    {{1, 0}}),
              ElementsAre(2, 9, 9));
  EXPECT_THAT(Values(*ReferenceUtil::ReduceWindow3DAdd(
                  Cube(), 0, {1, 2, 2}, {1, 1, 1}, Padding::kValid)),
              ElementsAre(10, 26));
  EXPECT_THAT(Values(*ReferenceUtil::ReduceWindow4DAdd(
                  Image(3, 3), 0, {1, 1, 2, 2}, {1, 1, 2, 2}, Padding::kSame)),
              ElementsAre(12, 9, 15, 9));
  EXPECT_THAT(Values(*ReferenceUtil::ReduceWindow4DGeneric(
                  Image(2, 2), 0, Max, {1, 1, 2, 2}, {1, 1, 1, 1},
                  {{0, 0}, {0, 0}, {1, 0}, {0, 0}})),
              ElementsAre(2, 4));
  // Of two equal elements the first one takes the value.
  const Array4D<float> operand(1, 1, 2, 3, {1, 7, 7, 5, 0, 9});
  const Array4D<float> source(1, 1, 1, 2, {10.0f, 20.0f});
  EXPECT_THAT(Values(*ReferenceUtil::SelectAndScatter4DGePlus(
                  operand, source, 0, {1, 1, 2, 2}, {1, 1, 1, 1}, false)),
              ElementsAre(0, 10, 0, 0, 0, 20));
}

TEST(ReferenceUtilNamesTest, ElementByElement) {
  const auto twice = [](float x) { return 2 * x; };
  EXPECT_EQ(*ReferenceUtil::MapArray2D(Matrix(), twice),
            (Array2D<float>{{2, 4, 6}, {8, 10, 12}}));
  EXPECT_EQ(*ReferenceUtil::MapArray2D(Matrix(), Matrix(), Add),
            *ReferenceUtil::MapArray2D(Matrix(), twice));
  EXPECT_THAT(Values(*ReferenceUtil::MapArray3D(Cube(), twice)),
              ElementsAre(2, 4, 6, 8, 10, 12, 14, 16));
  EXPECT_THAT(Values(*ReferenceUtil::MapArray3D(Cube(), Cube(), Max)),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(Values(*ReferenceUtil::MapArray4D(Image(1, 2), twice)),
              ElementsAre(2, 4));
  EXPECT_THAT(Values(*ReferenceUtil::MapArray4D(Image(1, 2), Image(1, 2), Add)),
              ElementsAre(2, 4));
  EXPECT_EQ(
      *ReferenceUtil::MapWithIndexArray2D(
          Matrix(), [](float x, int64_t row,
                       int64_t column) { return x + 10 * row + 100 * column; }),
      (Array2D<float>{{1, 102, 203}, {14, 115, 216}}));
  EXPECT_THAT(Values(*ReferenceUtil::MapWithIndexArray4D(
                  Image(1, 2), [](float x, int64_t, int64_t, int64_t,
                                  int64_t width) { return x * width; })),
              ElementsAre(0, 2));
  EXPECT_EQ(*ReferenceUtil::ApplyElementwise2D(
                [](float a, float b, float c) { return a * b + c; }, Matrix(),
                Matrix(), Matrix()),
            (Array2D<float>{{2, 6, 12}, {20, 30, 42}}));
  const Array4D<float> one(1, 1, 1, 2, 1.0f);
  EXPECT_THAT(
      Values(*ReferenceUtil::BatchNorm4D(Image(1, 2), one, one, one, one, 3)),
      ElementsAre(1, 1.5f));
}

TEST(ReferenceUtilNamesTest, Movement) {
  EXPECT_EQ(*ReferenceUtil::Concat2D(Matrix(), Matrix(), 0),
            (Array2D<float>{{1, 2, 3}, {4, 5, 6}, {1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(*ReferenceUtil::Concat2D(Matrix(), Matrix(), 1),
            (Array2D<float>{{1, 2, 3, 1, 2, 3}, {4, 5, 6, 4, 5, 6}}));
  EXPECT_EQ(ReferenceUtil::Concat3D(Cube(), Cube(), 2)->dim(2), 4);
  EXPECT_THAT(Values(*ReferenceUtil::Concat4D(Image(1, 2), Image(1, 1), 3)),
              ElementsAre(1, 2, 1));
  EXPECT_THAT(ReferenceUtil::ClampSlice1D<float>({1, 2, 3, 4}, 3, 2),
              ElementsAre(3, 4));
  EXPECT_THAT(ReferenceUtil::ClampSlice1D<float>({1, 2, 3, 4}, -3, 2),
              ElementsAre(1, 2));
  EXPECT_EQ(*ReferenceUtil::Slice2D(Matrix(), {0, 1}, {2, 3}, {1, 2}),
            (Array2D<float>{{2}, {5}}));
  EXPECT_THAT(
      Values(*ReferenceUtil::Slice3D(Cube(), {1, 0, 0}, {2, 2, 1}, {1, 1, 1})),
      ElementsAre(5, 7));
  EXPECT_THAT(Values(*ReferenceUtil::Slice4D(Image(3, 3), {0, 0, 0, 1},
                                             {1, 1, 3, 3}, {1, 1, 2, 1})),
              ElementsAre(2, 3, 8, 9));
  EXPECT_EQ(*ReferenceUtil::PadArray2D(Array2D<float>{{1, 2}},
                                       Padded(2, 1, 0, 1), 0.0f),
            (Array2D<float>{{0, 0, 0, 0}, {0, 1, 0, 2}}));
  EXPECT_EQ(*ReferenceUtil::PadArray2D(Matrix(), Padded(2, 0, -1, 0), 0.0f),
            (Array2D<float>{{1, 2}}));
  EXPECT_EQ(ReferenceUtil::PadArray3D(Cube(), Padded(3, 1, 1, 0), 0.0f).dim(0),
            4);
  EXPECT_THAT(
      Values(ReferenceUtil::PadArray4D(Image(1, 2), Padded(4, 0, 0, 2), 9.0f)),
      ElementsAre(1, 9, 9, 2));
  EXPECT_THAT(Values(*ReferenceUtil::Broadcast1DTo4D({1, 2}, {1, 2, 1, 2}, 1)),
              ElementsAre(1, 1, 2, 2));
}

}  // namespace
}  // namespace xla
