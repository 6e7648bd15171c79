// Properties, scaling and rounding of floating-point numbers of any type, in
// constant expressions too where the type allows it. The names of the first
// ones are those of IEEE 754-2019, section 5.7.2.
#ifndef COMPAT_XLA_FP_UTIL_H_
#define COMPAT_XLA_FP_UTIL_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "xla/base/float_bits.h"
#include "xla/base/types.h"
#include "xla/types.h"  // IWYU pragma: export
#include "xla/util.h"   // IWYU pragma: export

namespace xla {

template <typename T>
constexpr bool IsZero(T x) {
  return x == static_cast<T>(0.0f);
}
// False for -0 and for NaNs.
template <typename T>
constexpr bool IsSignMinus(T x) {
  return x < static_cast<T>(0.0f);
}
// Returns +0 for both zeros.
template <typename T>
constexpr T Abs(T x) {
  if (IsZero(x)) return static_cast<T>(0.0f);
  return IsSignMinus(x) ? -x : x;
}
template <typename T>
constexpr bool IsNaN(T x) {
  return x != x;
}
template <typename T>
constexpr bool IsInfinite(T x) {
  return std::numeric_limits<T>::has_infinity &&
         (x == std::numeric_limits<T>::infinity() ||
          x == -std::numeric_limits<T>::infinity());
}
template <typename T>
constexpr bool IsFinite(T x) {
  return !IsNaN(x) && !IsInfinite(x);
}
template <typename T>
constexpr bool IsNormal(T x) {
  return Abs(x) >= std::numeric_limits<T>::min() &&
         Abs(x) <= std::numeric_limits<T>::max();
}
template <typename T>
constexpr bool IsSubnormal(T x) {
  return !IsZero(x) && Abs(x) < std::numeric_limits<T>::min();
}

// Returns x times the power of the radix, rounded once.
template <typename T>
constexpr T ScaleBase(T x, int n) {
  using Limits = std::numeric_limits<T>;
  constexpr T kRadix = static_cast<T>(static_cast<float>(Limits::radix));
  for (; n > 0 && IsFinite(x) && !IsZero(x); --n) x *= kRadix;
  // Exact, as long as the quotient is normal.
  for (; n < 0 && IsNormal(x) && IsNormal(static_cast<T>(x / kRadix)); ++n) {
    x /= kRadix;
  }
  if (n >= 0 || IsZero(x) || !IsFinite(x)) return x;
  // The one division that rounds. Larger ones give the same zero.
  T divisor = static_cast<T>(1.0f);
  for (int i = std::min(-n, Limits::digits + 1); i > 0; --i) divisor *= kRadix;
  return x / divisor;
}

// Returns the exponent of the number, of an infinity the greatest int and of
// zeros the least one; nullopt for NaNs.
template <typename T>
constexpr std::optional<int> LogBase(T x) {
  if (IsNaN(x)) return std::nullopt;
  if (IsInfinite(x)) return std::numeric_limits<int>::max();
  if (IsZero(x)) return std::numeric_limits<int>::min();
  constexpr T kOne = static_cast<T>(1.0f);
  constexpr T kRadix =
      static_cast<T>(static_cast<float>(std::numeric_limits<T>::radix));
  int exponent = 0;
  T rest = Abs(x);
  for (; rest < kOne; --exponent) rest *= kRadix;
  for (; rest >= kRadix; ++exponent) rest /= kRadix;
  return exponent;
}

enum class RoundingDirection {
  kRoundTiesToEven,
  kRoundTowardsZero,
};

// Returns two numbers whose sum is near `to_split`: the first one is it rounded
// to the digits of DstT but for the last `num_high_trailing_zeros`, which are
// zeros, and the second one the rest, rounded to nearest. Both are NaNs if
// `to_split` is not finite or too large, or no digit would be left.
template <typename DstT, typename SrcT>
constexpr std::pair<DstT, DstT> SplitToFpPair(
    SrcT to_split, int num_high_trailing_zeros,
    RoundingDirection rounding_direction =
        RoundingDirection::kRoundTiesToEven) {
  using Limits = std::numeric_limits<DstT>;
  // Digits fit into the range of SrcT, and into the integer below.
  static_assert(std::numeric_limits<SrcT>::max_exponent > Limits::digits &&
                Limits::digits < 64);
  constexpr std::pair<DstT, DstT> kNone = {Limits::quiet_NaN(),
                                           Limits::quiet_NaN()};
  if (num_high_trailing_zeros < 0 || !IsFinite(to_split)) return kNone;
  if (IsZero(to_split)) {
    return {static_cast<DstT>(to_split), static_cast<DstT>(to_split)};
  }
  if (IsSignMinus(to_split)) {
    const auto [high, low] = SplitToFpPair<DstT, SrcT>(
        -to_split, num_high_trailing_zeros, rounding_direction);
    return {-high, -low};
  }
  const int exponent = *LogBase(to_split);
  const int lost = std::max(Limits::min_exponent - 1 - exponent, 0);
  const int kept = Limits::digits - lost - num_high_trailing_zeros;
  if (kept < 1) return kNone;
  const int last = exponent + 1 - kept;  // the exponent of the last digit kept
  const SrcT scaled = ScaleBase(to_split, -last);
  uint64_t digits = static_cast<uint64_t>(scaled);
  const SrcT rest = scaled - static_cast<SrcT>(digits);
  const SrcT half = static_cast<SrcT>(0.5f);
  if (rounding_direction == RoundingDirection::kRoundTiesToEven &&
      (rest > half || (rest == half && digits % 2 != 0))) {
    ++digits;
  }
  const SrcT rounded = ScaleBase(static_cast<SrcT>(digits), last);
  const DstT high = static_cast<DstT>(rounded);
  if (static_cast<SrcT>(high) != rounded) return kNone;
  return {high, static_cast<DstT>(to_split - static_cast<SrcT>(high))};
}

// Returns the number rounded to so many digits of DstT.
template <typename DstT, typename SrcT>
constexpr DstT RoundToPrecision(
    SrcT to_round, int precision = std::numeric_limits<DstT>::digits,
    RoundingDirection rounding_direction =
        RoundingDirection::kRoundTiesToEven) {
  return SplitToFpPair<DstT, SrcT>(
             to_round, std::numeric_limits<DstT>::digits - precision,
             rounding_direction)
      .first;
}

// The natural logarithm of two.
template <typename DstT>
constexpr std::pair<DstT, DstT> Log2FloatPair(int num_high_trailing_zeros) {
  return SplitToFpPair<DstT>(std::numbers::ln2, num_high_trailing_zeros);
}

// Returns the distance of the numbers next to each other around x: of those
// with its exponent, where x is a power of the radix. A NaN for infinities and
// NaNs. Source: Muller, "On the definition of ulp(x)", RR-5504, INRIA, 2005.
template <typename T>
constexpr T GoldbergUlp(T x) {
  if (!IsFinite(x)) return std::numeric_limits<T>::quiet_NaN();
  const int exponent = IsZero(x) || IsSubnormal(x)
                           ? std::numeric_limits<T>::min_exponent - 1
                           : *LogBase(x);
  return ScaleBase(std::numeric_limits<T>::epsilon(), exponent);
}

// Returns CalculateDistanceInFloats of finite numbers; 0 for two NaNs or the
// same infinity, nullopt if one alone is one of these.
template <typename T>
std::optional<int64_t> UlpDistance(T actual, T expected) {
  if (IsFinite(actual) && IsFinite(expected)) {
    return CalculateDistanceInFloats(actual, expected);
  }
  const bool same = IsNaN(expected) ? IsNaN(actual) : actual == expected;
  return same ? std::optional<int64_t>(0) : std::nullopt;
}

// Two bfloat16 in the bits of T, which has 32, `lower` in the low half; other
// bits of the floats are cut off.
template <typename T>
T PackFloatPairAsBf16(float lower, float upper) {
  static_assert(sizeof(T) == 4);
  return std::bit_cast<T>((std::bit_cast<uint32_t>(lower) >> 16) |
                          (std::bit_cast<uint32_t>(upper) & 0xffff0000u));
}
// Returns lower and upper.
template <typename T>
std::pair<float, float> UnpackFloatPairAsBf16(T packed) {
  static_assert(sizeof(T) == 4);
  const uint32_t bits = std::bit_cast<uint32_t>(packed);
  return {std::bit_cast<float>(bits << 16),
          std::bit_cast<float>(bits & 0xffff0000u)};
}

}  // namespace xla

#endif  // COMPAT_XLA_FP_UTIL_H_
