// Integers of 1, 2 and 4 bits, one per byte. Values wrap around.
#ifndef XLA_BASE_INT_N_H_
#define XLA_BASE_INT_N_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

namespace xla {

// An integer of `kBits` bits, in two's complement if kSigned. It is stored in
// the low bits of a byte; the other bits are written as 0, as in ml_dtypes, and
// ignored when read. Division follows HLO: x / 0 has all bits set, x % 0 is x,
// lowest / -1 is lowest.
template <int kBits, bool kSigned>
class IntN {
  static_assert(0 < kBits && kBits < 8);

 public:
  static constexpr int bits = kBits;

  constexpr IntN() = default;
  // Keeps the low bits of `value`.
  template <typename T>
    requires std::is_integral_v<T>
  explicit constexpr IntN(T value)
      : storage_(static_cast<int>(value) & kMask) {}
  // Truncates towards zero and saturates at the limits; NaN becomes 0.
  template <typename T>
    requires std::is_floating_point_v<T>
  explicit constexpr IntN(T value)
      : IntN(value != value      ? 0
             : value <= kLowest  ? kLowest
             : value >= kHighest ? kHighest
                                 : static_cast<int>(value)) {}
  template <int kB, bool kS>
    requires(kB != kBits || kS != kSigned)
  explicit constexpr IntN(IntN<kB, kS> value) : IntN(value.value()) {}

  constexpr int value() const {
    const int low = storage_ & kMask;
    return low > kHighest ? low - kMask - 1 : low;
  }
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(value());
  }

  constexpr IntN operator-() const { return IntN(-value()); }
  constexpr IntN operator+() const { return *this; }
  constexpr IntN operator~() const { return IntN(~value()); }
  friend constexpr IntN operator+(IntN a, IntN b) {
    return IntN(a.value() + b.value());
  }
  friend constexpr IntN operator-(IntN a, IntN b) {
    return IntN(a.value() - b.value());
  }
  friend constexpr IntN operator*(IntN a, IntN b) {
    return IntN(a.value() * b.value());
  }
  friend constexpr IntN operator/(IntN a, IntN b) {
    return IntN(b.value() == 0 ? -1 : a.value() / b.value());
  }
  friend constexpr IntN operator%(IntN a, IntN b) {
    return IntN(b.value() == 0 ? a.value() : a.value() % b.value());
  }
  friend constexpr IntN operator&(IntN a, IntN b) {
    return IntN(a.value() & b.value());
  }
  friend constexpr IntN operator|(IntN a, IntN b) {
    return IntN(a.value() | b.value());
  }
  friend constexpr IntN operator^(IntN a, IntN b) {
    return IntN(a.value() ^ b.value());
  }
  // Amounts that are negative or at least the width shift everything out.
  friend constexpr IntN operator<<(IntN a, int amount) {
    return IntN(amount < 0 || amount >= kBits ? 0 : a.value() << amount);
  }
  friend constexpr IntN operator>>(IntN a, int amount) {
    return IntN(a.value() >> (amount < 0 || amount >= kBits ? kBits : amount));
  }
  constexpr IntN& operator+=(IntN b) { return *this = *this + b; }
  constexpr IntN& operator-=(IntN b) { return *this = *this - b; }
  constexpr IntN& operator*=(IntN b) { return *this = *this * b; }
  constexpr IntN& operator/=(IntN b) { return *this = *this / b; }
  constexpr IntN& operator%=(IntN b) { return *this = *this % b; }
  constexpr IntN& operator&=(IntN b) { return *this = *this & b; }
  constexpr IntN& operator|=(IntN b) { return *this = *this | b; }
  constexpr IntN& operator^=(IntN b) { return *this = *this ^ b; }
  constexpr IntN& operator<<=(int n) { return *this = *this << n; }
  constexpr IntN& operator>>=(int n) { return *this = *this >> n; }
  constexpr IntN& operator++() { return *this = IntN(value() + 1); }
  constexpr IntN& operator--() { return *this = IntN(value() - 1); }
  constexpr IntN operator++(int) { return std::exchange(*this, *this + One()); }
  constexpr IntN operator--(int) { return std::exchange(*this, *this - One()); }

  friend constexpr bool operator==(IntN a, IntN b) {
    return a.value() == b.value();
  }
  friend constexpr auto operator<=>(IntN a, IntN b) {
    return a.value() <=> b.value();
  }

  template <typename H>
  friend H AbslHashValue(H h, IntN a) {
    return H::combine(std::move(h), a.value());
  }
  friend std::ostream& operator<<(std::ostream& os, IntN a) {
    return os << a.value();
  }

 private:
  template <typename T>
  friend class std::numeric_limits;

  static constexpr int kMask = (1 << kBits) - 1;
  static constexpr int kLowest = kSigned ? -(1 << (kBits - 1)) : 0;
  static constexpr int kHighest = kLowest + kMask;

  static constexpr IntN One() { return IntN(1); }

  uint8_t storage_ = 0;
};

using s1 = IntN<1, true>;
using s2 = IntN<2, true>;
using s4 = IntN<4, true>;
using u1 = IntN<1, false>;
using u2 = IntN<2, false>;
using u4 = IntN<4, false>;

template <typename T>
struct is_intN : std::false_type {};
template <int kBits, bool kSigned>
struct is_intN<IntN<kBits, kSigned>> : std::true_type {};
template <typename T>
inline constexpr bool is_intN_v = is_intN<T>::value;

}  // namespace xla

template <int kBits, bool kSigned>
class std::numeric_limits<xla::IntN<kBits, kSigned>> {
  using T = xla::IntN<kBits, kSigned>;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = kSigned;
  static constexpr bool is_integer = true;
  static constexpr bool is_exact = true;
  static constexpr bool has_infinity = false;
  static constexpr bool has_quiet_NaN = false;
  static constexpr bool has_signaling_NaN = false;
  static constexpr float_denorm_style has_denorm = denorm_absent;
  static constexpr bool has_denorm_loss = false;
  static constexpr float_round_style round_style = round_toward_zero;
  static constexpr bool is_iec559 = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = true;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr int radix = 2;
  static constexpr int digits = kBits - (kSigned ? 1 : 0);
  static constexpr int digits10 = digits * 30103 / 100000;
  static constexpr int max_digits10 = 0;
  static constexpr int min_exponent = 0;
  static constexpr int min_exponent10 = 0;
  static constexpr int max_exponent = 0;
  static constexpr int max_exponent10 = 0;
  static constexpr T min() { return T(T::kLowest); }
  static constexpr T max() { return T(T::kHighest); }
  static constexpr T lowest() { return min(); }
  static constexpr T epsilon() { return T(); }
  static constexpr T round_error() { return T(); }
  static constexpr T infinity() { return T(); }
  static constexpr T quiet_NaN() { return T(); }
  static constexpr T signaling_NaN() { return T(); }
  static constexpr T denorm_min() { return T(); }
};

template <int kBits, bool kSigned>
struct std::hash<xla::IntN<kBits, kSigned>> {
  size_t operator()(xla::IntN<kBits, kSigned> a) const {
    return std::hash<int>()(a.value());
  }
};

#endif  // XLA_BASE_INT_N_H_
