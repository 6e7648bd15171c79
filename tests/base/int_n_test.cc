// Integers of 1, 2 and 4 bits.
#include "xla/base/int_n.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

#include "absl/hash/hash.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

// Compares all operators with int, wrapped to the width.
template <typename T>
void ExpectWraps() {
  using Limits = std::numeric_limits<T>;
  for (int i = Limits::min().value(); i <= Limits::max().value(); ++i) {
    const T a(i);
    EXPECT_EQ(a.value(), i);
    EXPECT_EQ(-a, T(-i));
    EXPECT_EQ(~a, T(~i));
    for (int j = Limits::min().value(); j <= Limits::max().value(); ++j) {
      const T b(j);
      EXPECT_EQ(a + b, T(i + j));
      EXPECT_EQ(a - b, T(i - j));
      EXPECT_EQ(a * b, T(i * j));
      EXPECT_EQ(a / b, T(j == 0 ? -1 : i / j));
      EXPECT_EQ(a % b, T(j == 0 ? i : i % j));
      EXPECT_EQ(a & b, T(i & j));
      EXPECT_EQ(a | b, T(i | j));
      EXPECT_EQ(a ^ b, T(i ^ j));
      EXPECT_EQ(a < b, i < j);
      EXPECT_EQ(a == b, i == j);
    }
  }
}

TEST(IntNTest, ArithmeticWraps) {
  ExpectWraps<s1>();
  ExpectWraps<s2>();
  ExpectWraps<s4>();
  ExpectWraps<u1>();
  ExpectWraps<u2>();
  ExpectWraps<u4>();
}

TEST(IntNTest, Conversions) {
  EXPECT_EQ(s4(300).value(), -4);
  EXPECT_EQ(u4(300).value(), 12);
  EXPECT_EQ(s4(INT64_MIN).value(), 0);
  EXPECT_EQ(s4(7.9f).value(), 7);
  EXPECT_EQ(s4(-1e30).value(), -8);
  EXPECT_EQ(u2(1e30f).value(), 3);
  EXPECT_EQ(u2(-1.0f).value(), 0);
  EXPECT_EQ(s2(NAN).value(), 0);
  EXPECT_EQ(s2(u4(14)).value(), -2);
  EXPECT_EQ(static_cast<float>(s4(-3)), -3.0f);
}

TEST(IntNTest, StorageHasTheLowBitsOnly) {
  EXPECT_EQ(std::bit_cast<uint8_t>(s4(-1)), 0x0f);
  EXPECT_EQ(std::bit_cast<s4>(uint8_t{0xff}), s4(-1));
  EXPECT_EQ(std::bit_cast<u2>(uint8_t{0xfe}).value(), 2);
  EXPECT_EQ(absl::HashOf(std::bit_cast<s4>(uint8_t{0xff})),
            absl::HashOf(s4(-1)));
}

TEST(IntNTest, ShiftsAndSteps) {
  EXPECT_EQ(s4(3) << 2, s4(-4));
  EXPECT_EQ(s4(3) << 4, s4(0));
  EXPECT_EQ(s4(-8) >> 2, s4(-2));
  EXPECT_EQ(s4(-8) >> 99, s4(-1));
  EXPECT_EQ(u4(8) >> -1, u4(0));
  s4 a(7);
  EXPECT_EQ(a++, s4(7));
  EXPECT_EQ(a, s4(-8));
  EXPECT_EQ(--a, s4(7));
  std::ostringstream os;
  os << s4(-5) << u4(9);
  EXPECT_EQ(os.str(), "-59");
}

TEST(IntNTest, Limits) {
  EXPECT_EQ(std::numeric_limits<s4>::min().value(), -8);
  EXPECT_EQ(std::numeric_limits<s4>::max().value(), 7);
  EXPECT_EQ(std::numeric_limits<s1>::min().value(), -1);
  EXPECT_EQ(std::numeric_limits<s1>::max().value(), 0);
  EXPECT_EQ(std::numeric_limits<u2>::max().value(), 3);
  EXPECT_EQ(std::numeric_limits<s4>::digits, 3);
}

}  // namespace
}  // namespace xla
