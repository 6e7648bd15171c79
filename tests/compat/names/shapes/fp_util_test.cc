// Uses every name of xla/fp_util.h; tests/compat/fp_util_test.cc has the edge
// cases.
#include "xla/fp_util.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "gtest/gtest.h"

namespace xla {
namespace {

using Limits = std::numeric_limits<float>;

TEST(FpUtilNamesTest, Kinds) {
  const struct {
    float value;
    bool zero, minus, nan, infinite, finite, normal, subnormal;
  } kKinds[] = {
      {0.0f, true, false, false, false, true, false, false},
      {-1.5f, false, true, false, false, true, true, false},
      {Limits::denorm_min(), false, false, false, false, true, false, true},
      {-Limits::infinity(), false, true, false, true, false, false, false},
      {Limits::quiet_NaN(), false, false, true, false, false, false, false},
  };
  for (const auto& kind : kKinds) {
    EXPECT_EQ(IsZero(kind.value), kind.zero) << kind.value;
    EXPECT_EQ(IsSignMinus(kind.value), kind.minus) << kind.value;
    EXPECT_EQ(IsNaN(kind.value), kind.nan) << kind.value;
    EXPECT_EQ(IsInfinite(kind.value), kind.infinite) << kind.value;
    EXPECT_EQ(IsFinite(kind.value), kind.finite) << kind.value;
    EXPECT_EQ(IsNormal(kind.value), kind.normal) << kind.value;
    EXPECT_EQ(IsSubnormal(kind.value), kind.subnormal) << kind.value;
  }
  EXPECT_EQ(Abs(-2.5), 2.5);
  EXPECT_FALSE(std::signbit(Abs(-0.0f)));
}

TEST(FpUtilNamesTest, Exponents) {
  EXPECT_EQ(ScaleBase(1.5f, 3), 12.0f);
  EXPECT_EQ(ScaleBase(1.0, -1074), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(LogBase(10.0), 3);
  EXPECT_EQ(LogBase(0.0f), std::numeric_limits<int>::min());
  EXPECT_EQ(LogBase(Limits::infinity()), std::numeric_limits<int>::max());
  EXPECT_EQ(LogBase(Limits::quiet_NaN()), std::nullopt);
  EXPECT_EQ(GoldbergUlp(8.0f), 8 * Limits::epsilon());
  EXPECT_EQ(GoldbergUlp(0.0f), Limits::denorm_min());
  EXPECT_TRUE(IsNaN(GoldbergUlp(Limits::quiet_NaN())));
}

TEST(FpUtilNamesTest, Rounding) {
  constexpr auto kEven = RoundingDirection::kRoundTiesToEven;
  constexpr auto kZero = RoundingDirection::kRoundTowardsZero;
  const double value = 1 + 0x1p-23 + 0x1.8p-24;
  EXPECT_EQ((SplitToFpPair<float>(value, 0)),
            std::pair(1 + 2 * 0x1p-23f, -0x1p-25f));
  EXPECT_EQ((SplitToFpPair<float>(value, 0, kZero)),
            std::pair(1 + 0x1p-23f, 0x1.8p-24f));
  EXPECT_EQ((SplitToFpPair<float>(value, 0, kEven)),
            (SplitToFpPair<float>(value, 0)));
  EXPECT_TRUE(IsNaN(SplitToFpPair<float>(value, 24).first));
  EXPECT_EQ(RoundToPrecision<float>(0.1), 0.1f);
  EXPECT_EQ(RoundToPrecision<float>(1.75, 2), 2.0f);
  EXPECT_EQ(RoundToPrecision<float>(1.75, 2, kZero), 1.5f);
  const auto [high, low] = Log2FloatPair<float>(4);
  EXPECT_NEAR(static_cast<double>(high) + low, std::log(2.0), 1e-14);
  EXPECT_EQ(RoundToPrecision<float>(high, 20), high);
}

TEST(FpUtilNamesTest, Distances) {
  EXPECT_EQ(CalculateDistanceInFloats(1.0f, 1.0f + 3 * Limits::epsilon()), 3);
  EXPECT_EQ(CalculateDistanceInFloats(-0.0f, 0.0f), 0);
  EXPECT_EQ(CalculateDistanceInFloats(half(-1), half(1)),
            2 * CalculateDistanceInFloats(half(0), half(1)));
}

TEST(FpUtilNamesTest, Pairs) {
  EXPECT_EQ(PackFloatPairAsBf16<uint32_t>(2.0f, -1.0f), 0xbf804000u);
  EXPECT_EQ(UnpackFloatPairAsBf16(uint32_t{0xbf804000}),
            std::pair(2.0f, -1.0f));
}

}  // namespace
}  // namespace xla
