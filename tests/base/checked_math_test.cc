// Tests checked arithmetic at its limits.
#include "xla/base/checked_math.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(CheckedMathTest, NoticesOverflow) {
  EXPECT_EQ(CheckedAdd(INT64_MAX, 0), INT64_MAX);
  EXPECT_EQ(CheckedAdd(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(CheckedSubtract(INT64_MIN, 1), std::nullopt);
  EXPECT_EQ(CheckedMultiply(INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(CheckedMultiply(1 << 30, 1 << 30), int64_t{1} << 60);
  EXPECT_EQ(MultiplyWithoutOverflow(INT64_MAX, 2), -1);
  EXPECT_EQ(MultiplyWithoutOverflow(-1, 2), -1);
  EXPECT_EQ(MultiplyWithoutOverflow(3, 2), 6);
  EXPECT_EQ(OverflowSafeAdd<int8_t>(100, 100), std::nullopt);
}

TEST(CheckedMathTest, Products) {
  EXPECT_EQ(CheckedProduct({}), 1);
  EXPECT_EQ(CheckedProduct({2, 3, 4}), 24);
  EXPECT_EQ(CheckedProduct({INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(CheckedProduct({INT64_MAX, 2, 0}), 0);
  EXPECT_EQ(ProductOrError({INT64_MAX, 2}, "size").status().message(),
            "size: 9223372036854775807 * 2 does not fit in 64 bits");
  const std::vector<int64_t> many(10000, 10);
  EXPECT_LT(ProductOrError(many, "size").status().message().size(), 200);
  EXPECT_FALSE(AddOrError(INT64_MAX, 1, "a").ok());
  EXPECT_EQ(*MultiplyOrError(3, 4, "a"), 12);
  EXPECT_EQ(Product({2, 3}), 6);
  EXPECT_EQ(Product({2, 3, 5}, {2, 0}), 10);
  EXPECT_EQ(Product({2, 3, 5}, {}), 1);
}

TEST(CheckedMathTest, Saturates) {
  EXPECT_EQ(SaturatingAdd(2, 3), 5);
  EXPECT_EQ(SaturatingAdd(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(SaturatingAdd(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(SaturatingMultiply(-2, 3), -6);
  EXPECT_EQ(SaturatingMultiply(INT64_MIN, -1), INT64_MAX);
  EXPECT_EQ(SaturatingMultiply(INT64_MAX, -2), INT64_MIN);
}

TEST(CheckedMathTest, Rounding) {
  EXPECT_EQ(CeilOfRatio(7, 2), 4);
  EXPECT_EQ(CeilOfRatio(-7, 2), -3);
  EXPECT_EQ(CeilOfRatio(8, 2), 4);
  EXPECT_EQ(FloorOfRatio(-7, 2), -4);
  EXPECT_EQ(FloorOfRatio(7, 2), 3);
  EXPECT_EQ(RoundUpTo(7, 4), 8);
  EXPECT_EQ(RoundDownTo(7, 4), 4);
  EXPECT_EQ(CeilOfRatio(INT64_MAX, 2), int64_t{1} << 62);
  EXPECT_EQ(CeilOfRatio(7u, 2), 4u);
}

TEST(CheckedMathTest, Bits) {
  EXPECT_EQ(LsbMask<uint32_t>(0), 0u);
  EXPECT_EQ(LsbMask<uint32_t>(5), 31u);
  EXPECT_EQ(LsbMask<uint64_t>(64), UINT64_MAX);
  EXPECT_EQ(LsbMask<uint8_t>(8), 255);
  EXPECT_EQ(Log2Floor(9u), 3);
  EXPECT_EQ(Log2Ceiling(9u), 4);
  EXPECT_EQ(Log2Ceiling(8u), 3);
  EXPECT_EQ(Log2Floor(0u), -1);
  EXPECT_TRUE(IsPowerOfTwo(64));
  EXPECT_FALSE(IsPowerOfTwo(0));
}

}  // namespace
}  // namespace xla
