// Uses every name of xla/index_util.h.
#include "xla/index_util.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

TEST(IndexUtilNamesTest, LinearIndices) {
  const Shape rows = ShapeUtil::MakeShape(F32, {2, 3, 5});
  const Shape other =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3, 5}, {0, 2, 1});
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(rows, {1, 2, 3}), 28);
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(other, {1, 2, 3}),
            1 + 2 * (3 + 5 * 2));
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(
                other, other.layout().minor_to_major(), {1, 2, 3}),
            27);
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(
                ShapeUtil::MakeShape(F32, {}), {}),
            0);
  for (const Shape& shape : {rows, other}) {
    for (int64_t i = 0; i < 30; ++i) {
      const DimensionVector index =
          IndexUtil::LinearIndexToMultidimensionalIndex(shape, i);
      EXPECT_TRUE(IndexUtil::IndexInBounds(shape, index));
      EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(shape, index), i);
    }
  }
  EXPECT_EQ(IndexUtil::GetDimensionStride(rows, 0), 15);
  EXPECT_EQ(IndexUtil::GetDimensionStride(rows, 2), 1);
  EXPECT_EQ(IndexUtil::GetDimensionStride(other, 1), 10);
}

TEST(IndexUtilNamesTest, Bounds) {
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3});
  EXPECT_TRUE(IndexUtil::IndexInBounds(shape, {1, 2}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {1, 3}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {-1, 0}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {1}));
}

TEST(IndexUtilNamesTest, Bumps) {
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3});
  std::vector<int64_t> index = {0, 1};
  EXPECT_TRUE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(0, 2));
  EXPECT_TRUE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(1, 0));
  index = {1, 2};
  EXPECT_FALSE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(1, 2));
}

TEST(IndexUtilNamesTest, Comparisons) {
  EXPECT_EQ(IndexUtil::CompareIndices({1, 2}, {1, 2}), 0);
  EXPECT_EQ(IndexUtil::CompareIndices({1, 2}, {1, 3}), -1);
  EXPECT_EQ(IndexUtil::CompareIndices({2, 0}, {1, 3}), 1);
}

}  // namespace
}  // namespace xla
