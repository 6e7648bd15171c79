// Properties, scaling and rounding of floating-point numbers.
#include "xla/fp_util.h"

#include <cmath>
#include <limits>
#include <utility>

#include "gtest/gtest.h"
#include "xla/types.h"

namespace xla {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();

TEST(FpUtilTest, Properties) {
  static_assert(IsZero(-0.0f) && !IsZero(kLeast));
  static_assert(IsSignMinus(-1.0) && !IsSignMinus(-0.0) && !IsSignMinus(2.0));
  static_assert(IsNaN(kNan) && !IsNaN(kInf));
  static_assert(IsInfinite(-kInf) && !IsInfinite(kNan));
  static_assert(IsFinite(1.0f) && !IsFinite(kInf) && !IsFinite(kNan));
  static_assert(IsNormal(-1.0f) && !IsNormal(kLeast) && !IsNormal(kInf));
  static_assert(IsSubnormal(-kLeast) && !IsSubnormal(0.0f) &&
                !IsSubnormal(kNan));
  EXPECT_FALSE(std::signbit(Abs(-0.0f)));
  EXPECT_TRUE(IsSubnormal(std::numeric_limits<float8_e4m3fn>::denorm_min()));
  EXPECT_FALSE(IsInfinite(std::numeric_limits<float8_e4m3fn>::max()));
}

TEST(FpUtilTest, Scale) {
  static_assert(ScaleBase(1.5f, 4) == 24.0f);
  static_assert(ScaleBase(-3.0, -1) == -1.5);
  for (const int n :
       {-1100, -300, -151, -150, -149, -130, -1, 0, 5, 127, 300}) {
    for (const float x : {1.0f, 1.5f, -1.75f, 0x1.000002p0f, 0x1.8p-120f,
                          kLeast, 3 * kLeast, kInf, 0.0f}) {
      EXPECT_EQ(ScaleBase(x, n), std::ldexp(x, n)) << x << " " << n;
      EXPECT_EQ(ScaleBase<double>(x, n), std::ldexp(static_cast<double>(x), n));
    }
  }
}

TEST(FpUtilTest, Exponents) {
  EXPECT_EQ(LogBase(1.0f), 0);
  EXPECT_EQ(LogBase(-7.0), 2);
  EXPECT_EQ(LogBase(0.75f), -1);
  EXPECT_EQ(LogBase(kLeast), -149);
  EXPECT_EQ(LogBase(half(0.25f)), -2);
  EXPECT_EQ(LogBase(kInf), std::numeric_limits<int>::max());
  EXPECT_EQ(LogBase(0.0f), std::numeric_limits<int>::min());
  EXPECT_EQ(LogBase(kNan), std::nullopt);
}

TEST(FpUtilTest, Split) {
  constexpr auto kPair = Log2FloatPair<float>(5);
  static_assert(kPair.first == 0x1.62e42p-1f || kPair.first == 0x1.62e44p-1f);
  EXPECT_NEAR(static_cast<double>(kPair.first) + kPair.second, std::log(2.0),
              1e-14);
  EXPECT_EQ(SplitToFpPair<float>(1.0 / 3, 0).first, 1.0f / 3);
  EXPECT_EQ(SplitToFpPair<float>(-1.0 / 3, 0).first, -1.0f / 3);
  EXPECT_EQ(SplitToFpPair<float>(0.0, 3), std::pair(0.0f, 0.0f));
  for (const auto& [value, zeros] :
       {std::pair{1e300, 0}, {1.0, 24}, {1.0, -1}, {NAN, 0}, {1e-60, 0}}) {
    EXPECT_TRUE(std::isnan(SplitToFpPair<float>(value, zeros).first)) << value;
  }
  // Subnormal numbers have fewer digits.
  EXPECT_EQ(SplitToFpPair<float>(0x1.8p-149, 0).first, 2 * kLeast);
}

TEST(FpUtilTest, Round) {
  EXPECT_EQ(RoundToPrecision<float>(1.1), 1.1f);
  // Ties go to the even one, in both directions of the sign.
  EXPECT_EQ(RoundToPrecision<float>(1.25, 2), 1.0f);
  EXPECT_EQ(RoundToPrecision<float>(1.75, 2), 2.0f);
  EXPECT_EQ(RoundToPrecision<float>(-1.75, 2), -2.0f);
  constexpr auto kZero = RoundingDirection::kRoundTowardsZero;
  EXPECT_EQ(RoundToPrecision<float>(1.99, 2, kZero), 1.5f);
  EXPECT_EQ(RoundToPrecision<float>(-1.99, 2, kZero), -1.5f);
  EXPECT_EQ(RoundToPrecision<bfloat16>(1.0f + 1.0f / 128), bfloat16(1.0078125));
}

TEST(FpUtilTest, Ulps) {
  static_assert(GoldbergUlp(1.0f) == std::numeric_limits<float>::epsilon());
  EXPECT_EQ(GoldbergUlp(-1.5f), std::numeric_limits<float>::epsilon());
  EXPECT_EQ(GoldbergUlp(256.0), 256 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(GoldbergUlp(0.0f), kLeast);
  EXPECT_EQ(GoldbergUlp(kLeast), kLeast);
  EXPECT_TRUE(std::isnan(GoldbergUlp(kInf)));
}

TEST(FpUtilTest, Distances) {
  EXPECT_EQ(CalculateDistanceInFloats(1.0f, std::nextafter(1.0f, 2.0f)), 1);
  EXPECT_EQ(CalculateDistanceInFloats(-kLeast, kLeast), 2);
  EXPECT_EQ(CalculateDistanceInFloats(0.0, -0.0), 0);
  EXPECT_EQ(CalculateDistanceInFloats(bfloat16(1), bfloat16(2)), 128);
  EXPECT_EQ(UlpDistance(kNan, -kNan), 0);
  EXPECT_EQ(UlpDistance(kInf, kInf), 0);
  EXPECT_EQ(UlpDistance(kInf, -kInf), std::nullopt);
  EXPECT_EQ(UlpDistance(1.0f, kNan), std::nullopt);
  EXPECT_EQ(UlpDistance(2.0f, std::nextafter(2.0f, 0.0f)), 1);
}

TEST(FpUtilTest, PairsOfBfloat16) {
  const uint32_t packed = PackFloatPairAsBf16<uint32_t>(1.0f, -2.0f);
  EXPECT_EQ(packed, 0xc0003f80u);
  EXPECT_EQ(UnpackFloatPairAsBf16(packed), std::pair(1.0f, -2.0f));
  // Cut off, not rounded.
  EXPECT_EQ(UnpackFloatPairAsBf16(PackFloatPairAsBf16<float>(0x1.01ffp0f, 0)),
            std::pair(0x1p0f, 0.0f));
}

}  // namespace
}  // namespace xla
