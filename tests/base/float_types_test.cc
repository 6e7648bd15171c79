// The number types as C++ classes: arithmetic, comparison, limits.
// float_types_test.py tests the bits that conversions give.
#include "xla/base/float_types.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

#include "absl/hash/hash.h"
#include "gtest/gtest.h"
#include "xla/base/type_aliases.h"

namespace xla {
namespace {

static_assert(std::is_trivially_copyable_v<half> && sizeof(half) == 2);
static_assert(std::is_trivially_copyable_v<float4_e2m1fn> &&
              sizeof(float4_e2m1fn) == 1);
static_assert(half(1.0f).rep() == 0x3c00);
static_assert(std::is_same_v<tsl::float8_e4m3b11, float8_e4m3b11fnuz>);
static_assert(std::is_same_v<ml_dtypes::uint4, u4>);

TEST(FloatTypesTest, Arithmetic) {
  const half a(1.5f), b(2.0f);
  EXPECT_EQ(a + b, half(3.5f));
  EXPECT_EQ(a - b, half(-0.5f));
  EXPECT_EQ(a * b, half(3.0f));
  EXPECT_EQ(a / b, half(0.75f));
  EXPECT_EQ(-a, half(-1.5f));
  half c = a;
  c += b;
  c *= b;
  EXPECT_EQ(static_cast<float>(c), 7.0f);
  EXPECT_EQ(static_cast<int>(c), 7);
  EXPECT_LT(a, b);
  EXPECT_GE(b, a);
}

TEST(FloatTypesTest, Comparison) {
  const auto nan = std::numeric_limits<bfloat16>::quiet_NaN();
  EXPECT_NE(nan, nan);
  EXPECT_FALSE(nan < nan);
  EXPECT_EQ(bfloat16(0.0f), bfloat16(-0.0f));
  EXPECT_EQ(absl::HashOf(bfloat16(0.0f)), absl::HashOf(bfloat16(-0.0f)));
}

TEST(FloatTypesTest, BecomesFloatByItself) {
  const half h(1.5f);
  float sum = h;
  sum += bfloat16(0.5f);
  EXPECT_EQ(sum, 2.0f);
  EXPECT_EQ(h * 2, 3.0f);
  EXPECT_EQ(2.0f - h, 0.5f);
  EXPECT_TRUE(h == 1.5f && 1.0 < h);
  static_assert(std::is_same_v<decltype(h * h), half>);
  static_assert(std::is_same_v<decltype(h * 2.0f), float>);
}

TEST(FloatTypesTest, RoundsOnceFromWiderTypes) {
  // This is just above the tie between 1 and its successor; float would lose
  // that.
  EXPECT_EQ(half(1.0 + 0x1p-11 + 0x1p-40).rep(), 0x3c01);
  EXPECT_EQ(bfloat16(1.0 + 0x1p-8 + 0x1p-40).rep(), 0x3f81);
  // The same for an integer that double cannot represent.
  EXPECT_EQ(bfloat16((int64_t{1} << 62) + (int64_t{1} << 54)).rep(), 0x5e80);
  EXPECT_EQ(bfloat16((int64_t{1} << 62) + (int64_t{1} << 54) + 1).rep(),
            0x5e81);
  EXPECT_EQ(bfloat16(INT64_MIN).rep(), 0xdf00);
  EXPECT_EQ(bfloat16(UINT64_MAX).rep(), 0x5f80);
  EXPECT_EQ(half(65520).rep(), 0x7c00);
  EXPECT_EQ(half(65519).rep(), 0x7bff);
}

TEST(FloatTypesTest, SpecialsOfEachKind) {
  EXPECT_TRUE(isinf(float8_e5m2(1e30f)));
  EXPECT_TRUE(isnan(float8_e4m3fn(1e30f)));
  EXPECT_TRUE(isnan(float8_e4m3fnuz(1e30f)));
  EXPECT_EQ(float4_e2m1fn(1e30f), float4_e2m1fn(6.0f));
  EXPECT_TRUE(isnan(float8_e8m0fnu(0.0f)));
  EXPECT_TRUE(isnan(float8_e8m0fnu(-1.0f)));
  EXPECT_EQ((-float8_e4m3fnuz(0.0f)).rep(), 0);
  EXPECT_TRUE(isnan(-std::numeric_limits<float8_e4m3fnuz>::quiet_NaN()));
  EXPECT_TRUE(isfinite(float6_e2m3fn(NAN)));
  EXPECT_TRUE(signbit(half(-0.0f)));
  EXPECT_EQ(abs(half(-2.0f)), half(2.0f));
}

TEST(FloatTypesTest, BitAccess) {
  EXPECT_EQ(std::bit_cast<uint16_t>(half(-2.0f)), 0xc000);
  EXPECT_EQ(half::FromRep(0xc000), half(-2.0f));
  // Bits above the width are ignored.
  EXPECT_EQ(std::bit_cast<float4_e2m1fn>(uint8_t{0xf2}).ToFloat(), 1.0f);
  EXPECT_EQ(std::bit_cast<float4_e2m1fn>(uint8_t{0xfa}).ToFloat(), -1.0f);
  std::ostringstream os;
  os << half(0.5f);
  EXPECT_EQ(os.str(), "0.5");
}

template <typename T>
void ExpectLimits(float max, float min, float denorm, int max_exponent) {
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(Limits::max().ToFloat(), max);
  EXPECT_EQ(Limits::min().ToFloat(), min);
  EXPECT_EQ(Limits::denorm_min().ToFloat(), denorm);
  EXPECT_EQ(Limits::max_exponent, max_exponent);
  EXPECT_EQ(std::ldexp(1.0f, Limits::min_exponent - 1), min);
  EXPECT_EQ(Limits::epsilon().ToFloat(), std::ldexp(1.0f, 1 - Limits::digits));
  EXPECT_EQ(isinf(Limits::infinity()), Limits::has_infinity);
  EXPECT_EQ(isnan(Limits::quiet_NaN()), Limits::has_quiet_NaN);
  EXPECT_EQ(isnan(Limits::signaling_NaN()), Limits::has_quiet_NaN);
}

TEST(FloatTypesTest, Limits) {
  ExpectLimits<half>(65504, 0x1p-14, 0x1p-24, 16);
  ExpectLimits<bfloat16>(0x1.fep127, 0x1p-126, 0x1p-133, 128);
  ExpectLimits<float8_e5m2>(57344, 0x1p-14, 0x1p-16, 16);
  ExpectLimits<float8_e4m3>(240, 0x1p-6, 0x1p-9, 8);
  ExpectLimits<float8_e3m4>(15.5, 0x1p-2, 0x1p-6, 4);
  ExpectLimits<float8_e4m3fn>(448, 0x1p-6, 0x1p-9, 9);
  ExpectLimits<float8_e4m3b11fnuz>(30, 0x1p-10, 0x1p-13, 5);
  ExpectLimits<float8_e4m3fnuz>(240, 0x1p-7, 0x1p-10, 8);
  ExpectLimits<float8_e5m2fnuz>(57344, 0x1p-15, 0x1p-17, 16);
  ExpectLimits<float8_e8m0fnu>(0x1p127, 0x1p-127, 0x1p-127, 128);
  ExpectLimits<float6_e3m2fn>(28, 0x1p-2, 0x1p-4, 5);
  ExpectLimits<float6_e2m3fn>(7.5, 1, 0x1p-3, 3);
  ExpectLimits<float4_e2m1fn>(6, 1, 0.5, 3);
  EXPECT_EQ(std::numeric_limits<half>::max_digits10, 5);
  EXPECT_EQ(std::numeric_limits<half>::digits10, 3);
  EXPECT_EQ(std::numeric_limits<bfloat16>::min_exponent10, -37);
}

}  // namespace
}  // namespace xla
