// Tests lists of axes; 'x' has size 2, 'y' size 8 and 'z' size 3.
#include "xla/hlo/sharding/axis_part.h"

#include "gmock/gmock.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr AxisPart kX = {0, 1, 2};
constexpr AxisPart kY = {1, 1, 8};
constexpr AxisPart kZ = {2, 1, 3};
// 'y' is these two together, or three axes of size 2.
constexpr AxisPart kY2 = {1, 1, 2};
constexpr AxisPart kY4 = {1, 2, 4};

TEST(AxisPartTest, PartsOverlapWhereTheyShareValues) {
  EXPECT_TRUE(Overlap(kY, kY4));
  EXPECT_FALSE(Overlap(kY2, kY4));
  EXPECT_FALSE(Overlap(kX, kY));
  EXPECT_TRUE(Overlap(AxisList{kX, kY2}, kY2));
  EXPECT_FALSE(Overlap(AxisList{kX, kY2}, AxisList{kY4, kZ}));
}

TEST(AxisPartTest, NeighboursAreJoined) {
  AxisList list;
  Append({kX, kY2, kY4, kZ}, list);
  EXPECT_THAT(list, ElementsAre(kX, kY, kZ));
  AxisList turned;
  Append({kY4, kY2}, turned);
  EXPECT_THAT(turned, ElementsAre(kY4, kY2));
  EXPECT_EQ(SizeOf(list), 48);
}

TEST(AxisPartTest, PrefixesEndWithinAxes) {
  EXPECT_THAT(CommonPrefix({kX, kY}, {kX, kY2, kZ}), ElementsAre(kX, kY2));
  EXPECT_THAT(CommonPrefix({kX, kY}, {kY}), IsEmpty());
  EXPECT_TRUE(IsPrefix({kX, kY2}, {kX, kY, kZ}));
  EXPECT_FALSE(IsPrefix({kX, kY4}, {kX, kY}));
  EXPECT_TRUE(IsPrefix({}, {kX}));
  EXPECT_THAT(WithoutPrefix({kX, kY, kZ}, {kX, kY2}), ElementsAre(kY4, kZ));
  EXPECT_THAT(WithoutPrefix({kX, kY}, {}), ElementsAre(kX, kY));
}

TEST(AxisPartTest, OtherAxesAreLeftOut) {
  EXPECT_THAT(PrefixWithout({kX, kY, kZ}, {kY4}), ElementsAre(kX, kY2));
  EXPECT_THAT(PrefixWithout({kX, kY}, {kY2}), ElementsAre(kX));
  EXPECT_THAT(PrefixWithout({kX, kY}, {kZ}), ElementsAre(kX, kY));
  EXPECT_THAT(Difference({kX, kY, kZ}, {kX, kY2}), ElementsAre(kY4, kZ));
  EXPECT_THAT(Difference({kY}, {AxisPart{1, 2, 2}}),
              ElementsAre(kY2, AxisPart{1, 4, 2}));
}

TEST(AxisPartTest, PrefixesDivideSizes) {
  EXPECT_THAT(PrefixThatDivides({kX, kY}, 8),
              ElementsAre(kX, AxisPart{1, 1, 4}));
  EXPECT_THAT(PrefixThatDivides({kZ, kX}, 4), IsEmpty());
  EXPECT_THAT(PrefixThatDivides({kZ, kX}, 12), ElementsAre(kZ, kX));
}

}  // namespace
}  // namespace xla
