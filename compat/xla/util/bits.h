// Numbers and their bits, under the names of xla/util.h.
#ifndef COMPAT_XLA_UTIL_BITS_H_
#define COMPAT_XLA_UTIL_BITS_H_

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/float_bits.h"
#include "xla/base/logging.h"
#include "xla/base/types.h"
#include "xla/core/literal/element_text.h"
#include "xla/core/primitive_util.h"

namespace xla {

template <typename T>
struct DivMod {
  T quotient, modulo;
};

// The quotient rounded down; modulo has the sign of the divisor, not 0.
template <typename T>
constexpr DivMod<T> FloorDivMod(T dividend, T divisor) {
  T quotient = dividend / divisor, modulo = dividend % divisor;
  if (modulo != 0 && (modulo < 0) != (divisor < 0)) {
    quotient -= 1;
    modulo += divisor;
  }
  return {quotient, modulo};
}

constexpr bool IsPowerOf2(size_t x) { return std::has_single_bit(x); }

// The leading ones of a negative number, or zeros of another one.
template <typename T>
constexpr int CountLeadingSignBits(T x) {
  static_assert(std::is_signed_v<T>);
  const auto bits = static_cast<std::make_unsigned_t<T>>(x);
  return x < 0 ? std::countl_one(bits) : std::countl_zero(bits);
}

template <typename T>
constexpr T KeepLowerBits(T value, int width) {
  return value & LsbMask<T>(width);
}

template <typename T>
T Product(absl::Span<const T> factors) {
  T product(1);
  for (const T& factor : factors) product = product * factor;
  return product;
}

template <typename T>
constexpr bool IsInt32(T x) {
  return static_cast<T>(static_cast<int32_t>(x)) == x;
}

// The power by squarings. A negative exponent, for types that are no integers,
// gives the reciprocal.
template <typename T, typename Exponent>
constexpr T IPow(T base, Exponent exponent) {
  static_assert(std::numeric_limits<Exponent>::is_integer);
  const bool is_negative = exponent < 0;
  CHECK(!is_negative || !std::numeric_limits<T>::is_integer);
  T power(1);
  while (exponent != 0) {
    if (exponent % 2 != 0) power *= base;
    exponent /= 2;
    if (exponent != 0) base *= base;
  }
  return is_negative ? T(1) / power : power;
}

// Returns the digits of `n` in a system whose digit i is less than bounds[i],
// the last one of weight 1; of n modulo their product, which is positive.
template <typename Container = std::vector<int64_t>>
Container ToMixedRadix(int64_t n, absl::Span<const int64_t> bounds) {
  Container digits(bounds.size());
  for (size_t i = bounds.size(); i-- > 0;) {
    CHECK_GT(bounds[i], 0);
    digits[i] = n % bounds[i];
    n /= bounds[i];
  }
  return digits;
}

template <typename T>
auto SignAndMagnitudeToTwosComplement(T sign, T magnitude) {
  static_assert(std::is_unsigned_v<T>);
  return static_cast<std::make_signed_t<T>>(magnitude ^ sign);
}
// Maps floating-point numbers to integers in their order, unsigned ones for
// numbers without a sign.
template <typename T>
auto ToSignMagnitude(T input) {
  const auto [sign, magnitude] = SignAndMagnitude(input);
  if constexpr (std::numeric_limits<T>::is_signed) {
    return SignAndMagnitudeToTwosComplement(sign, magnitude);
  } else {
    return magnitude;
  }
}

// The bits of a NaN that are neither sign nor exponent, of types that have
// several NaNs.
template <typename T>
constexpr int NanPayloadBits() {
  return std::numeric_limits<T>::has_signaling_NaN
             ? std::numeric_limits<T>::digits - 1
             : 0;
}
template <typename T>
constexpr uint64_t NanPayloadBitMask() {
  return LsbMask<uint64_t>(NanPayloadBits<T>());
}
template <typename T>
constexpr uint64_t QuietNanWithoutPayload() {
  constexpr int kBits = NanPayloadBits<T>();
  return kBits == 0 ? 0 : uint64_t{1} << (kBits - 1);
}
// `nan_payload` is not 0, which would be an infinity.
template <typename T>
T NanWithSignAndPayload(bool sign, uint64_t nan_payload) {
  static_assert(NanPayloadBits<T>() > 0);
  using Bits = UnsignedIntegerTypeForSizeType<sizeof(T)>;
  CHECK_NE(nan_payload, 0u);
  constexpr int kSignBit = static_cast<int>(sizeof(T)) * 8 - 1;
  const auto nan = std::bit_cast<Bits>(std::numeric_limits<T>::quiet_NaN());
  const uint64_t exponent =
      nan & ~NanPayloadBitMask<T>() & LsbMask<uint64_t>(kSignBit);
  return std::bit_cast<T>(
      static_cast<Bits>((uint64_t{sign} << kSignBit) | exponent | nan_payload));
}

// Returns the digits from which the number can be read again, and the payload
// of a NaN if it has one. Of all floating-point types.
template <typename T>
std::string RoundTripFpToString(T value) {
  static_assert(!std::numeric_limits<T>::is_integer);
  std::string text;
  AppendElement(primitive_util::NativeToPrimitiveType<T>(), &value, &text);
  return text;
}

// Packs numbers of few bits, as many into a byte as fit, the first one into the
// lowest bits. Other bits of `input`, which has one to a byte, are ignored.
template <size_t kBitsPerElement>
void PackIntN(absl::Span<const char> input, absl::Span<char> output) {
  static_assert(kBitsPerElement >= 1 && kBitsPerElement <= 7);
  constexpr size_t kPerByte = 8 / kBitsPerElement;
  const size_t packed = (input.size() + kPerByte - 1) / kPerByte;
  CHECK_GE(output.size(), packed);
  for (size_t i = 0; i < packed; ++i) output[i] = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    const uint8_t bits = input[i] & LsbMask<uint8_t>(kBitsPerElement);
    output[i / kPerByte] |=
        static_cast<char>(bits << (i % kPerByte * kBitsPerElement));
  }
}
// The reverse, with zeros in the other bits.
template <size_t kBitsPerElement>
void UnpackIntN(absl::Span<const char> input, absl::Span<char> output) {
  static_assert(kBitsPerElement >= 1 && kBitsPerElement <= 7);
  constexpr size_t kPerByte = 8 / kBitsPerElement;
  CHECK_GE(input.size(), (output.size() + kPerByte - 1) / kPerByte);
  for (size_t i = 0; i < output.size(); ++i) {
    const auto byte = static_cast<uint8_t>(input[i / kPerByte]);
    output[i] = static_cast<char>(byte >> (i % kPerByte * kBitsPerElement) &
                                  LsbMask<uint8_t>(kBitsPerElement));
  }
}
inline void PackIntN(int bits_per_element, absl::Span<const char> input,
                     absl::Span<char> output) {
  CHECK(bits_per_element == 2 || bits_per_element == 4) << bits_per_element;
  bits_per_element == 2 ? PackIntN<2>(input, output)
                        : PackIntN<4>(input, output);
}
inline void UnpackIntN(int bits_per_element, absl::Span<const char> input,
                       absl::Span<char> output) {
  CHECK(bits_per_element == 2 || bits_per_element == 4) << bits_per_element;
  bits_per_element == 2 ? UnpackIntN<2>(input, output)
                        : UnpackIntN<4>(input, output);
}
// Return new bytes. The size of `data`, in bytes, fills whole bytes.
inline std::unique_ptr<char[]> PackIntN(int bits_per_element, const char* data,
                                        size_t size) {
  const size_t packed_size = size * bits_per_element / 8;
  std::unique_ptr<char[]> packed(new char[packed_size]);
  PackIntN(bits_per_element, absl::MakeConstSpan(data, size),
           absl::MakeSpan(packed.get(), packed_size));
  return packed;
}
inline std::unique_ptr<char[]> UnpackIntN(int bits_per_element,
                                          const char* data, size_t size) {
  const size_t unpacked_size = size * 8 / bits_per_element;
  std::unique_ptr<char[]> unpacked(new char[unpacked_size]);
  UnpackIntN(bits_per_element, absl::MakeConstSpan(data, size),
             absl::MakeSpan(unpacked.get(), unpacked_size));
  return unpacked;
}

// Returns the sum of two f32 that is nearest to `x` among those whose first one
// is the nearest f32; the second is 0 where the first is not finite.
inline std::pair<float, float> SplitF64ToF32(double x) {
  const float high = static_cast<float>(x);
  if (!std::isfinite(high)) return {high, 0.0f};
  return {high, static_cast<float>(x - static_cast<double>(high))};
}

}  // namespace xla

#endif  // COMPAT_XLA_UTIL_BITS_H_
