// Arrays of any rank and their named subclasses.
#include "xla/core/array/array.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/base/types.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"

namespace xla {
namespace {

TEST(ArrayTest, ListsOfEachRank) {
  Array<int> vector({3}, std::vector<int>{1, 2, 3});
  EXPECT_EQ(vector.dimensions(), std::vector<int64_t>({3}));
  Array<int> matrix({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(matrix.dimensions(), std::vector<int64_t>({2, 3}));
  EXPECT_EQ(matrix(1, 0), 4);
  EXPECT_EQ(matrix(std::vector<int64_t>{0, 2}), 3);
  Array<bfloat16> converted({{1.0f, 2.0f}});
  EXPECT_EQ(static_cast<float>(converted(0, 1)), 2);
  EXPECT_DEATH(matrix(2, 0), "index 2");
}

TEST(ArrayTest, Fills) {
  Array<int> a(std::vector<int64_t>{2, 2}, 7);
  EXPECT_EQ(a.num_elements(), 4);
  a.FillIota(3);
  EXPECT_EQ(a, Array<int>({{3, 4}, {5, 6}}));
  a.FillRepeatedIota(0, 3);
  EXPECT_EQ(a, Array<int>({{0, 1}, {2, 0}}));
  a.FillWithMultiples(2);
  EXPECT_EQ(a, Array<int>({{0, 2}, {4, 6}}));
  a.SetValues({9, 8, 7, 6});
  EXPECT_EQ(a(0, 0), 9);
  Array<float> x(std::vector<int64_t>{100});
  Array<float> y(std::vector<int64_t>{100});
  x.FillRandom(1.0f);
  y.FillRandom(1.0f);
  EXPECT_EQ(x, y);
  y.FillRandomUniform(2, 3);
  for (float value : y) EXPECT_TRUE(value >= 2 && value <= 3);
}

TEST(ArrayTest, SliceUpdateReshapeTranspose) {
  Array<int> a({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(a.Slice({0, 1}, {2, 3}), Array<int>({{2, 3}, {5, 6}}));
  a.UpdateSlice(Array2D<int>(1, 1, 9), {1, 2});
  EXPECT_EQ(a(1, 2), 9);
  a.TransposeDimensions({1, 0});
  EXPECT_EQ(a, Array<int>({{1, 4}, {2, 5}, {3, 9}}));
  a.Reshape({6});
  EXPECT_EQ(a, Array<int>({6}, std::vector<int>{1, 4, 2, 5, 3, 9}));
  EXPECT_EQ(Array<int>({{1, 2}, {3, 4}}).ToString(), "[[1, 2],\n [3, 4]]");
}

// A list of integers has the sizes, one of floating-point numbers the values.
TEST(ArrayTest, ListsOfOneDimension) {
  EXPECT_THAT(Array<int>({2, 3}).dimensions(), testing::ElementsAre(2, 3));
  EXPECT_THAT(Array<int64_t>({4}).dimensions(), testing::ElementsAre(4));
  EXPECT_THAT(Array<float>({2, 3}).dimensions(), testing::ElementsAre(2, 3));
  EXPECT_THAT(Array<bfloat16>({2, 3}).dimensions(), testing::ElementsAre(2, 3));
  EXPECT_EQ(Array<float>({2.0f, 3.0f}),
            Array<float>({2}, std::vector<float>{2, 3}));
  EXPECT_EQ(Array<bfloat16>({2.0f, 3.0f})(1), bfloat16(3));
}

TEST(ArrayTest, NamedRanks) {
  auto line = MakeLinspaceArray2D(1.0, 6.0, 2, 3);
  EXPECT_EQ(*line, Array2D<float>({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(line->height(), 2);
  EXPECT_EQ(line->width(), 3);
  Array3D<int> cube(2, 3, 4, 5);
  EXPECT_EQ(cube(1, 2, 3), 5);
  EXPECT_EQ(cube.n3(), 4);
  Array4D<int> a(2, 2, 1, 2);
  a.FillWithYX(Array2D<int>({{3, 4}}));
  EXPECT_EQ(a(1, 1, 0, 1), 4);
  a.FillWithPZ(Array2D<int>({{1, 2}, {3, 4}}));
  EXPECT_EQ(a(1, 0, 0, 1), 3);
}

}  // namespace
}  // namespace xla
