// Uses every public name of xla/literal_comparison.h.
#include "xla/literal_comparison.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LiteralComparisonNamesTest, Shapes) {
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3});
  EXPECT_TRUE(literal_comparison::EqualShapes(shape, shape).ok());
  EXPECT_FALSE(
      literal_comparison::EqualShapes(shape, ShapeUtil::MakeShape(F32, {3, 2}))
          .ok());
  EXPECT_FALSE(
      literal_comparison::EqualShapes(shape, ShapeUtil::MakeShape(S32, {2, 3}))
          .ok());
  Literal a(ShapeUtil::MakeShape(F32, {3}, {true}));
  a.SetDynamicSize(0, 2);
  Literal b = a.Clone();
  EXPECT_TRUE(literal_comparison::EqualDynamicShapesAndDimensions(a, b).ok());
  b.SetDynamicSize(0, 1);
  EXPECT_FALSE(literal_comparison::EqualDynamicShapesAndDimensions(a, b).ok());
}

TEST(LiteralComparisonNamesTest, Equality) {
  const Literal a = LiteralUtil::CreateR1<int32_t>({1, 2, 3});
  const Literal b = LiteralUtil::CreateR1<int32_t>({1, 5, 3});
  EXPECT_TRUE(literal_comparison::Equal(a, a).ok());
  EXPECT_EQ(literal_comparison::Equal(a, b).code(),
            absl::StatusCode::kInvalidArgument);
  // With a callback all parts are compared.
  std::vector<std::string> parts;
  const literal_comparison::MiscompareCallback note =
      [&](const LiteralSlice& expected, const LiteralSlice& actual,
          const LiteralSlice& mismatches, const ShapeIndex& index,
          const literal_comparison::ErrorBuckets& buckets) {
        EXPECT_TRUE(buckets.abs_error_buckets.empty());
        parts.push_back(index.ToString() + mismatches.ToStringOneline());
      };
  EXPECT_FALSE(literal_comparison::Equal(LiteralUtil::MakeTuple({&a, &a, &b}),
                                         LiteralUtil::MakeTuple({&b, &a, &a}),
                                         note)
                   .ok());
  EXPECT_THAT(parts,
              ElementsAre("{0}pred[3] {0, 1, 0}", "{2}pred[3] {0, 1, 0}"));
}

TEST(LiteralComparisonNamesTest, Nearness) {
  const Literal a = LiteralUtil::CreateR1<float>({1, 2});
  const Literal b = LiteralUtil::CreateR1<float>({1, 2.5f});
  EXPECT_TRUE(
      literal_comparison::Near(a, b, ErrorSpec(0.5), std::nullopt, nullptr)
          .ok());
  std::vector<int64_t> absolute, relative;
  const auto note = [&](const LiteralSlice&, const LiteralSlice&,
                        const LiteralSlice& mismatches, const ShapeIndex& index,
                        const literal_comparison::ErrorBuckets& buckets) {
    EXPECT_EQ(mismatches.CountEqual(true), 1);
    EXPECT_TRUE(index.empty());
    absolute = buckets.abs_error_buckets;
    relative = buckets.rel_error_buckets;
  };
  const absl::Status status =
      literal_comparison::Near(a, b, ErrorSpec(0.1), true, note);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("2.5"));
  EXPECT_THAT(absolute, ElementsAre(1, 1, 1, 1, 0));
  EXPECT_THAT(relative, ElementsAre(1, 1, 1, 1, 0));
  // Integers must be equal, and the callback hears of them too.
  int calls = 0;
  EXPECT_FALSE(literal_comparison::Near(
                   LiteralUtil::CreateR0<int8_t>(1),
                   LiteralUtil::CreateR0<int8_t>(2), ErrorSpec(5), std::nullopt,
                   [&](const LiteralSlice&, const LiteralSlice&,
                       const LiteralSlice&, const ShapeIndex&,
                       const literal_comparison::ErrorBuckets&) { ++calls; })
                   .ok());
  EXPECT_EQ(calls, 1);
}

TEST(LiteralComparisonNamesTest, BucketsAndTexts) {
  const literal_comparison::ErrorBuckets none;
  EXPECT_TRUE(none.rel_error_buckets.empty());
  const literal_comparison::ErrorBuckets some({1, 2}, {3});
  EXPECT_THAT(some.abs_error_buckets, ElementsAre(1, 2));
  EXPECT_THAT(some.rel_error_buckets, ElementsAre(3));
  const Literal small = LiteralUtil::CreateR1<float>({1, 2});
  EXPECT_EQ(literal_comparison::ToStringTruncated(small), small.ToString());
  const Literal large(ShapeUtil::MakeShape(F32, {5000}));
  EXPECT_LT(literal_comparison::ToStringTruncated(large).size(), 100u);
}

}  // namespace
}  // namespace xla
