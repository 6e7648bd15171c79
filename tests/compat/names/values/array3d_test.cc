// Uses every public name of xla/array3d.h.
#include "xla/array3d.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(Array3dNamesTest, Constructors) {
  EXPECT_THAT(Array3D<int>().dimensions(), ElementsAre(0, 0, 0));
  EXPECT_EQ(Array3D<int>(2, 3, 4).num_elements(), 24);
  EXPECT_THAT(Array3D<int>(2, 3, 4, 7), Each(7));
  const Array3D<int> a = {{{1, 2}, {3, 4}, {5, 6}, {7, 8}},
                          {{9, 10}, {11, 12}, {13, 14}, {15, 16}}};
  EXPECT_EQ(a(1, 2, 0), 13);
  EXPECT_EQ(a.n1(), 2);
  EXPECT_EQ(a.n2(), 4);
  EXPECT_EQ(a.n3(), 2);
  EXPECT_EQ(Array3D<bfloat16>({{{1.0f}}, {{2.0f}}})(1, 0, 0), bfloat16(2));
}

TEST(Array3dNamesTest, UniqueValues) {
  Array3D<int> a(2, 2, 2);
  a.FillUnique();
  EXPECT_THAT(a, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  a.FillUnique(1);
  EXPECT_EQ(a(0, 0, 0), 1);
  Array3D<int> wide(2, 2, 3);
  wide.FillUnique();
  EXPECT_EQ(std::set<int>(wide.begin(), wide.end()).size(), 12u);
}

}  // namespace
}  // namespace xla
