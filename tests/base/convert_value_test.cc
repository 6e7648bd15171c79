// Tests scalar conversion between every two families of types.
#include "xla/base/convert_value.h"

#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(ConvertValueTest, FloatToIntTruncatesAndSaturates) {
  EXPECT_EQ((ConvertValue<int32_t>(-1.9f)), -1);
  EXPECT_EQ((ConvertValue<int32_t>(3e9f)), INT32_MAX);
  EXPECT_EQ((ConvertValue<int32_t>(-INFINITY)), INT32_MIN);
  EXPECT_EQ((ConvertValue<int32_t>(2147483647.5)), INT32_MAX);
  EXPECT_EQ((ConvertValue<int32_t>(NAN)), 0);
  EXPECT_EQ((ConvertValue<int64_t>(9223372036854775808.0)), INT64_MAX);
  EXPECT_EQ((ConvertValue<int64_t>(9223372036854774784.0)),
            9223372036854774784);
  EXPECT_EQ((ConvertValue<uint64_t>(1e30f)), UINT64_MAX);
  EXPECT_EQ((ConvertValue<uint64_t>(-1.0)), 0);
  EXPECT_EQ((ConvertValue<uint32_t>(3e9f)), 3000000000u);
  EXPECT_EQ((ConvertValue<int8_t>(half(300.0f))), 127);
  EXPECT_EQ((ConvertValue<uint8_t>(bfloat16(-0.5f))), 0);
  EXPECT_EQ((ConvertValue<s4>(float8_e5m2(-100.0f))).value(), -8);
  EXPECT_EQ((ConvertValue<u2>(2.9)).value(), 2);
}

TEST(ConvertValueTest, IntToIntWraps) {
  EXPECT_EQ((ConvertValue<int8_t>(300)), 44);
  EXPECT_EQ((ConvertValue<uint8_t>(-9)), 247);
  EXPECT_EQ((ConvertValue<u4>(int64_t{-1})).value(), 15);
  EXPECT_EQ((ConvertValue<uint64_t>(s4(-1))), UINT64_MAX);
  EXPECT_EQ((ConvertValue<s2>(u4(14))).value(), -2);
}

TEST(ConvertValueTest, Pred) {
  EXPECT_TRUE((ConvertValue<bool>(2)));
  EXPECT_TRUE((ConvertValue<bool>(NAN)));
  EXPECT_TRUE((ConvertValue<bool>(0.25)));
  EXPECT_FALSE((ConvertValue<bool>(-0.0f)));
  EXPECT_FALSE((ConvertValue<bool>(s4(16))));
  // Only the real part counts.
  EXPECT_TRUE((ConvertValue<bool>(complex64(1, 0))));
  EXPECT_FALSE((ConvertValue<bool>(complex64(0, 1))));
  EXPECT_EQ((ConvertValue<float>(true)), 1.0f);
  EXPECT_EQ((ConvertValue<half>(true)), half(1));
  EXPECT_EQ((ConvertValue<s4>(true)), s4(1));
}

TEST(ConvertValueTest, Complex) {
  EXPECT_EQ((ConvertValue<float>(complex128(1.5, 2))), 1.5f);
  EXPECT_EQ((ConvertValue<complex64>(complex128(1.5, 2))), complex64(1.5, 2));
  EXPECT_EQ((ConvertValue<complex128>(half(0.5f))), complex128(0.5, 0));
  EXPECT_EQ((ConvertValue<complex64>(s4(-3))), complex64(-3, 0));
  EXPECT_EQ((ConvertValue<int8_t>(complex64(300, 2))), 127);
}

TEST(ConvertValueTest, ToSmallFloatRoundsOnce) {
  EXPECT_EQ((ConvertValue<half>(1.0 + 0x1p-11 + 0x1p-40)).rep(), 0x3c01);
  EXPECT_EQ((ConvertValue<float8_e4m3fn>(bfloat16(300.0f))).ToFloat(), 288.0f);
  EXPECT_EQ((ConvertValue<float4_e2m1fn>(-9)).ToFloat(), -6.0f);
}

}  // namespace
}  // namespace xla
