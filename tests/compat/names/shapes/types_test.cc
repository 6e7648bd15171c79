// Uses every name of xla/types.h.
#include "xla/types.h"

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

// The greatest number of a type, the bytes that it takes, and whether it has a
// zero with a sign and any zero at all.
template <typename T>
void CheckFloat(double max, size_t bytes, bool negative_zero,
                bool zero = true) {
  static_assert(is_specialized_floating_point<T>::value);
  static_assert(is_specialized_floating_point_v<T>);
  static_assert(!is_specialized_integral_v<T> && !is_intN_v<T> &&
                !is_complex_v<T>);
  EXPECT_EQ(static_cast<double>(std::numeric_limits<T>::max()), max);
  EXPECT_EQ(sizeof(T), bytes);
  EXPECT_EQ(has_negative_zero<T>::value, negative_zero) << max;
  EXPECT_EQ(has_negative_zero_v<T>, negative_zero);
  EXPECT_EQ(has_zero<T>::value, zero);
  EXPECT_EQ(has_zero_v<T>, zero);
}

TEST(TypesNamesTest, Floats) {
  CheckFloat<float4_e2m1fn>(6, 1, true);
  CheckFloat<float8_e3m4>(15.5, 1, true);
  CheckFloat<float8_e4m3>(240, 1, true);
  CheckFloat<float8_e4m3b11fnuz>(30, 1, false);
  CheckFloat<float8_e4m3fn>(448, 1, true);
  CheckFloat<float8_e4m3fnuz>(240, 1, false);
  CheckFloat<float8_e5m2>(57344, 1, true);
  CheckFloat<float8_e5m2fnuz>(57344, 1, false);
  CheckFloat<float8_e8m0fnu>(0x1p127, 1, false, /*zero=*/false);
  CheckFloat<half>(65504, 2, true);
  CheckFloat<bfloat16>(0x1.fep127, 2, true);
  CheckFloat<float>(0x1.fffffep127, 4, true);
  CheckFloat<double>(std::numeric_limits<double>::max(), 8, true);
}

template <typename T>
void CheckInteger(int min, int max) {
  static_assert(is_intN<T>::value && is_intN_v<T>);
  static_assert(is_specialized_integral<T>::value);
  static_assert(is_specialized_integral_v<T> && !has_negative_zero_v<T>);
  EXPECT_EQ(static_cast<int>(std::numeric_limits<T>::min()), min);
  EXPECT_EQ(static_cast<int>(std::numeric_limits<T>::max()), max);
}

TEST(TypesNamesTest, Integers) {
  CheckInteger<u1>(0, 1);
  CheckInteger<s1>(-1, 0);
  CheckInteger<u2>(0, 3);
  CheckInteger<s2>(-2, 1);
  CheckInteger<u4>(0, 15);
  CheckInteger<s4>(-8, 7);
  EXPECT_FALSE(is_intN_v<int8_t>);
  EXPECT_TRUE(is_specialized_integral_v<int8_t>);
  EXPECT_TRUE(has_zero_v<s4>);
  static_assert(std::is_same_v<make_specialized_unsigned<s4>::type, u4>);
  static_assert(std::is_same_v<make_specialized_unsigned_t<u2>, u2>);
  static_assert(std::is_same_v<make_specialized_unsigned_t<int16_t>, uint16_t>);
  static_assert(std::is_same_v<make_specialized_signed<u1>::type, s1>);
  static_assert(std::is_same_v<make_specialized_signed_t<u4>, s4>);
  static_assert(std::is_same_v<make_specialized_signed_t<uint64_t>, int64_t>);
}

TEST(TypesNamesTest, ComplexNumbers) {
  static_assert(std::is_same_v<complex64, std::complex<float>>);
  static_assert(std::is_same_v<complex128, std::complex<double>>);
  static_assert(is_complex<complex64>::value && is_complex_v<complex128>);
  static_assert(!is_complex_v<float>);
  EXPECT_EQ(std::abs(complex64(3, 4)), 5);
}

struct Sink {
  void Append(absl::string_view piece) {
    text.append(piece.data(), piece.size());
  }
  std::string text;
};

TEST(TypesNamesTest, Texts) {
  Sink sink;
  AbslStringify(sink, s4(-8));
  AbslStringify(sink, u2(3));
  EXPECT_EQ(sink.text, "-83");
}

}  // namespace
}  // namespace xla
