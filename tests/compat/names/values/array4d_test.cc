// Uses every public name of xla/array4d.h.
#include "xla/array4d.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/array2d.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(Array4dNamesTest, Constructors) {
  EXPECT_EQ(Array4D<int>().num_elements(), 0);
  EXPECT_EQ(Array4D<int>(2, 3, 4, 5).num_elements(), 120);
  EXPECT_THAT(Array4D<int>(1, 2, 2, 1, 7), Each(7));
  EXPECT_THAT(Array4D<int>(1, 1, 2, 1, {3, 4}), ElementsAre(3, 4));
  const std::vector<int> values = {5, 6};
  EXPECT_EQ(Array4D<int>(2, 1, 1, 1, values)(1, 0, 0, 0), 6);
  const Array4D<int> list = {{{{1, 2}, {3, 4}}}};
  EXPECT_EQ(list(0, 0, 1, 0), 3);
  EXPECT_EQ(Array4D<half>({{{{1.0f, 2.0f}}}})(0, 0, 0, 1), half(2));
}

TEST(Array4dNamesTest, Sizes) {
  const Array4D<int> a(2, 3, 4, 5);
  EXPECT_THAT((std::vector<int64_t>{a.n1(), a.n2(), a.n3(), a.n4()}),
              ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(
      (std::vector<int64_t>{a.planes(), a.depth(), a.height(), a.width()}),
      ElementsAre(2, 3, 4, 5));
}

TEST(Array4dNamesTest, Fills) {
  Array4D<int> a(2, 3, 2, 2);
  a.FillWithYX(Array2D<int>({{1, 2}, {3, 4}}));
  EXPECT_EQ(a(1, 2, 1, 0), 3);
  a.FillWithZY(Array2D<int>({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(a(1, 2, 1, 0), 6);
  EXPECT_EQ(a(0, 1, 0, 1), 3);
  a.FillWithPZ(Array2D<int>({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(a(1, 2, 1, 0), 6);
  EXPECT_EQ(a(0, 1, 0, 1), 2);
  a.FillWithMinorDimNum();
  EXPECT_EQ(a(0, 0, 1, 1), 0);
  EXPECT_EQ(a(0, 2, 1, 1), 2);
  EXPECT_EQ(a(1, 1, 0, 0), 4);
}

}  // namespace
}  // namespace xla
