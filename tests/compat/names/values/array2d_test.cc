// Uses every public name of xla/array2d.h.
#include "xla/array2d.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

TEST(Array2dNamesTest, Constructors) {
  EXPECT_THAT(Array2D<int>().dimensions(), ElementsAre(0, 0));
  EXPECT_THAT(Array2D<float>(2, 1), ElementsAre(0.0f, 0.0f));
  EXPECT_THAT(Array2D<int>(2, 2, 5), ElementsAre(5, 5, 5, 5));
  Array2D<int> a = {{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(a(1, 2), 6);
  const Array2D<half> converted({{1.0f, 2.0f}});
  EXPECT_EQ(converted(0, 1), half(2));
  Array2D<int> copy(a);
  EXPECT_EQ(copy, a);
  const Array2D<int> moved(std::move(copy));
  EXPECT_EQ(moved, a);
  Array2D<int> assigned;
  assigned = a;
  EXPECT_EQ(assigned, a);
  assigned = Array2D<int>(1, 1, 3);
  EXPECT_EQ(assigned(0, 0), 3);
}

TEST(Array2dNamesTest, Sizes) {
  const Array2D<int> a(2, 3);
  EXPECT_EQ(a.n1(), 2);
  EXPECT_EQ(a.n2(), 3);
  EXPECT_EQ(a.height(), 2);
  EXPECT_EQ(a.width(), 3);
}

TEST(Array2dNamesTest, Fills) {
  Array2D<int> a(2, 3);
  a.FillUnique();
  EXPECT_EQ(a, Array2D<int>({{0, 1, 2}, {4, 5, 6}}));
  a.FillUnique(10);
  EXPECT_EQ(a, Array2D<int>({{10, 11, 12}, {14, 15, 16}}));
  a.Each([](int64_t row, int64_t column, int* value) {
    *value = static_cast<int>(10 * row + column);
  });
  EXPECT_EQ(a, Array2D<int>({{0, 1, 2}, {10, 11, 12}}));
}

TEST(Array2dNamesTest, Linspace) {
  const std::unique_ptr<Array2D<float>> line =
      MakeLinspaceArray2D(1.0, 4.0, 2, 2);
  EXPECT_EQ(*line, Array2D<float>({{1, 2}, {3, 4}}));
  EXPECT_EQ((*MakeLinspaceArray2D<double>(0, 1, 1, 3))(0, 1), 0.5);
  EXPECT_EQ((*MakeLinspaceArray2D(1.0, 4.0, 1, 1))(0, 0), 4.0f);
}

}  // namespace
}  // namespace xla
