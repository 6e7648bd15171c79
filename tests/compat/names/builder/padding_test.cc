// Uses every name of xla/hlo/builder/padding.h.
#include "xla/hlo/builder/padding.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(PaddingNamesTest, Amounts) {
  using ::testing::ElementsAre;
  using ::testing::Pair;
  EXPECT_THAT(MakePadding({5, 6}, {3, 2}, {1, 2}, Padding::kSame),
              ElementsAre(Pair(1, 1), Pair(0, 0)));
  EXPECT_THAT(MakePadding({5}, {2}, {1}, Padding::kSame),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(MakePadding({5, 6}, {3, 2}, {1, 2}, Padding::kValid),
              ElementsAre(Pair(0, 0), Pair(0, 0)));
  EXPECT_TRUE(ValidatePaddingValues({5, 6}, {3, 2}, {1, 2}).ok());
  EXPECT_FALSE(ValidatePaddingValues({5}, {3, 2}, {1}).ok());
  EXPECT_FALSE(ValidatePaddingValues({5}, {3}, {0}).ok());
}

}  // namespace
}  // namespace xla
