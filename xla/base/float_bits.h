// The bits of floating-point numbers of any type, and how many numbers of a
// type lie between two.
#ifndef XLA_BASE_FLOAT_BITS_H_
#define XLA_BASE_FLOAT_BITS_H_

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <utility>

namespace xla {

template <size_t kBytes>
struct UnsignedIntegerTypeForSize;
template <>
struct UnsignedIntegerTypeForSize<1> {
  using type = uint8_t;
};
template <>
struct UnsignedIntegerTypeForSize<2> {
  using type = uint16_t;
};
template <>
struct UnsignedIntegerTypeForSize<4> {
  using type = uint32_t;
};
template <>
struct UnsignedIntegerTypeForSize<8> {
  using type = uint64_t;
};
template <size_t kBytes>
using UnsignedIntegerTypeForSizeType =
    typename UnsignedIntegerTypeForSize<kBytes>::type;
template <size_t kBytes>
using SignedIntegerTypeForSizeType =
    std::make_signed_t<UnsignedIntegerTypeForSizeType<kBytes>>;

// Returns the sign of a floating-point number, all ones for negative numbers
// and -0, else zeros, and the other bits. Types without -0 have one magnitude
// less for negative numbers, so that numbers next to each other always differ
// by one.
template <typename T>
auto SignAndMagnitude(T x) {
  using Bits = UnsignedIntegerTypeForSizeType<sizeof(T)>;
  using std::abs;
  using std::signbit;
  const Bits bits = std::bit_cast<Bits>(x);
  if constexpr (!std::numeric_limits<T>::is_signed) {
    return std::pair(Bits{0}, bits);
  } else {
    Bits magnitude = std::bit_cast<Bits>(abs(x));
    const bool is_negative = signbit(x);
    if (is_negative && std::bit_cast<Bits>(-T(0)) == 0) magnitude -= 1;
    return std::pair(static_cast<Bits>(is_negative ? ~Bits{0} : Bits{0}),
                     magnitude);
  }
}
// Returns the number of steps from one number to the next between both; the two
// zeros are one.
template <typename T>
int64_t CalculateDistanceInFloats(T a, T b) {
  const auto steps_from_zero = [](T x) {
    const auto [sign, magnitude] = SignAndMagnitude(x);
    const auto steps = static_cast<uint64_t>(magnitude);
    return sign != 0 ? -steps : steps;
  };
  return std::abs(
      static_cast<int64_t>(steps_from_zero(a) - steps_from_zero(b)));
}

}  // namespace xla

#endif  // XLA_BASE_FLOAT_BITS_H_
