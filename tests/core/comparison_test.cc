// Comparison, window_util and permutations.
#include "xla/core/comparison.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/core/permutation_util.h"
#include "xla/core/window_math.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

constexpr auto kLt = ComparisonDirection::kLt;
constexpr auto kEq = ComparisonDirection::kEq;

TEST(Comparison, Types) {
  EXPECT_EQ(Comparison(kLt, F32).GetType(), Comparison::Type::kFloat);
  EXPECT_EQ(Comparison(kLt, BF16, Comparison::Order::kTotal).GetType(),
            Comparison::Type::kFloatTotalOrder);
  EXPECT_EQ(Comparison(kLt, S8).GetType(), Comparison::Type::kSigned);
  EXPECT_EQ(Comparison(kLt, PRED).GetType(), Comparison::Type::kUnsigned);
  EXPECT_EQ(DefaultComparisonType(C64), Comparison::Type::kFloat);
}

TEST(Comparison, InverseAndConverse) {
  EXPECT_EQ(Comparison(kLt, S32).Inverse()->GetDirection(),
            ComparisonDirection::kGe);
  EXPECT_EQ(Comparison(kLt, F32).Inverse(), std::nullopt);
  EXPECT_EQ(Comparison(kEq, F32).Inverse()->GetDirection(),
            ComparisonDirection::kNe);
  EXPECT_EQ(Comparison(kLt, F32).Converse().GetDirection(),
            ComparisonDirection::kGt);
  EXPECT_FALSE(Comparison(kEq, F32).IsReflexive());
  EXPECT_TRUE(Comparison(kEq, S32).IsReflexive());
}

TEST(Comparison, Names) {
  EXPECT_EQ(StringToComparisonDirection("GE").value(),
            ComparisonDirection::kGe);
  EXPECT_FALSE(StringToComparisonDirection("ge").ok());
  EXPECT_EQ(StringToComparisonType("TOTALORDER").value(),
            Comparison::Type::kFloatTotalOrder);
  EXPECT_FALSE(StringToComparisonType("").ok());
  EXPECT_EQ(Comparison(kLt, F32).ToString(), ".LT.F32.PARTIALORDER");
}

TEST(WindowMath, Bounds) {
  EXPECT_EQ(window_util::DilatedBound(5, 3), 13);
  EXPECT_EQ(window_util::DilatedBound(0, 3), 0);
  EXPECT_EQ(window_util::DilatedBound(INT64_MAX, 2), INT64_MAX);
  EXPECT_EQ(window_util::StridedBound(7, 3, 2), 3);
  EXPECT_EQ(window_util::StridedBound(2, 3, 2), 0);
}

TEST(WindowMath, Text) {
  Window window = window_util::MakeWindow({3, 3});
  EXPECT_EQ(window_util::ToString(window), "size=3x3");
  EXPECT_FALSE(window_util::HasPadding(window));
  for (WindowDimension& dim : *window.mutable_dimensions()) {
    dim.set_stride(2);
    dim.set_padding_low(1);
    dim.set_padding_high(1);
    dim.set_base_dilation(2);
    dim.set_window_reversal(true);
  }
  window.mutable_dimensions(0)->set_window_dilation(2);
  EXPECT_EQ(window_util::ToString(window),
            "size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=2x2 rhs_dilate=2x1 "
            "rhs_reversal=1x1");
  EXPECT_TRUE(window_util::HasSymmetricPadding(window));
  EXPECT_TRUE(window_util::AllOrNoneReversed(window));
}

TEST(Permutations, Algebra) {
  EXPECT_TRUE(IsPermutation({2, 0, 1}));
  EXPECT_FALSE(IsPermutation({0, 0}));
  EXPECT_FALSE(IsPermutation({0, 2}));
  EXPECT_FALSE(IsPermutation({-1, 0}));
  const std::vector<int64_t> input = {10, 20, 30};
  EXPECT_THAT(Permute(input, {2, 0, 1}), ElementsAre(30, 10, 20));
  EXPECT_THAT(PermuteInverse(Permute(input, {2, 0, 1}), {2, 0, 1}),
              ElementsAre(10, 20, 30));
  EXPECT_THAT(InversePermutation({2, 0, 1}), ElementsAre(1, 2, 0));
  EXPECT_THAT(ComposePermutations({2, 0, 1}, InversePermutation({2, 0, 1})),
              ElementsAre(0, 1, 2));
  EXPECT_TRUE(IsIdentityPermutation({0, 1, 2}));
}

}  // namespace
}  // namespace xla
