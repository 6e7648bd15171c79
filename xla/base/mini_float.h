// Floating-point numbers of 4 to 16 bits, held as their bit pattern.
// Arithmetic goes through float; conversions round once, to nearest even.
// float_types.h names the formats.
#ifndef XLA_BASE_MINI_FLOAT_H_
#define XLA_BASE_MINI_FLOAT_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

namespace xla {

// The meaning of a format's codes that are not ordinary numbers.
enum class MiniFloatKind {
  kIeee,          // Infinities and NaNs in the highest exponent.
  kFiniteNan,     // "fn": no infinity; NaN is all ones, overflow is NaN.
  kFinite,        // "fn" of 4 and 6 bits: no infinity or NaN; saturates.
  kUnsignedZero,  // "fnuz": no infinity, no -0, whose code is the only NaN.
  kPower,         // "e8m0fnu": powers of two, no sign, no zero; 0xff is NaN.
};

// A number with 1 sign bit (kPower has none), kExponentBits and kMantissaBits.
// The value is (-1)^s 2^(e - kBias) 1.m, or (-1)^s 2^(1 - kBias) 0.m for e = 0.
template <int kExponentBits, int kMantissaBits, int kBias, MiniFloatKind kKind>
class MiniFloat {
  static constexpr int kMagnitudeBits = kExponentBits + kMantissaBits;
  static constexpr bool kIsPower = kKind == MiniFloatKind::kPower;

 public:
  static constexpr int kBits = kMagnitudeBits + (kIsPower ? 0 : 1);
  using Rep = std::conditional_t<(kBits > 8), uint16_t, uint8_t>;

  constexpr MiniFloat() = default;
  // Rounds the exact value of `value` to nearest, ties to even. For kPower,
  // whose significand is always 1, ties round up.
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit constexpr MiniFloat(T value) : rep_(FromNumber(value)) {}
  template <int kE, int kM, int kB, MiniFloatKind kK>
    requires(!std::is_same_v<MiniFloat<kE, kM, kB, kK>, MiniFloat>)
  explicit constexpr MiniFloat(MiniFloat<kE, kM, kB, kK> value)
      : rep_(FromNumber(value.ToFloat())) {}

  // Returns the number with this bit pattern; ignores bits above kBits.
  static constexpr MiniFloat FromRep(Rep rep) {
    MiniFloat result;
    result.rep_ = static_cast<Rep>(rep & kMask);
    return result;
  }
  constexpr Rep rep() const { return static_cast<Rep>(rep_ & kMask); }

  // The result is exact, since every format is a subset of float.
  constexpr float ToFloat() const;
  constexpr operator float() const { return ToFloat(); }
  template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, float>)
  explicit constexpr operator T() const {
    return static_cast<T>(ToFloat());
  }

  constexpr MiniFloat operator-() const {
    if constexpr (kIsPower) return FromRep(kNan);
    if constexpr (kKind == MiniFloatKind::kUnsignedZero) {
      if ((rep() & kMaxMagnitude) == 0) return *this;
    }
    return FromRep(static_cast<Rep>(rep_ ^ kSign));
  }
  constexpr MiniFloat operator+() const { return *this; }

  friend constexpr MiniFloat operator+(MiniFloat a, MiniFloat b) {
    return MiniFloat(a.ToFloat() + b.ToFloat());
  }
  friend constexpr MiniFloat operator-(MiniFloat a, MiniFloat b) {
    return MiniFloat(a.ToFloat() - b.ToFloat());
  }
  friend constexpr MiniFloat operator*(MiniFloat a, MiniFloat b) {
    return MiniFloat(a.ToFloat() * b.ToFloat());
  }
  friend constexpr MiniFloat operator/(MiniFloat a, MiniFloat b) {
    return MiniFloat(a.ToFloat() / b.ToFloat());
  }
  constexpr MiniFloat& operator+=(MiniFloat b) { return *this = *this + b; }
  constexpr MiniFloat& operator-=(MiniFloat b) { return *this = *this - b; }
  constexpr MiniFloat& operator*=(MiniFloat b) { return *this = *this * b; }
  constexpr MiniFloat& operator/=(MiniFloat b) { return *this = *this / b; }

  friend constexpr bool operator==(MiniFloat a, MiniFloat b) {
    return a.ToFloat() == b.ToFloat();
  }
  friend constexpr auto operator<=>(MiniFloat a, MiniFloat b) {
    return a.ToFloat() <=> b.ToFloat();
  }

  friend constexpr bool isnan(MiniFloat a) { return a.IsSpecial(false); }
  friend constexpr bool isinf(MiniFloat a) { return a.IsSpecial(true); }
  friend constexpr bool isfinite(MiniFloat a) { return !isnan(a) && !isinf(a); }
  friend constexpr bool signbit(MiniFloat a) { return (a.rep_ & kSign) != 0; }
  // Also of NaN, where the format has it with both signs.
  friend constexpr MiniFloat abs(MiniFloat a) { return signbit(a) ? -a : a; }

  template <typename H>
  friend H AbslHashValue(H h, MiniFloat a) {
    return H::combine(std::move(h), a.ToFloat());
  }
  friend std::ostream& operator<<(std::ostream& os, MiniFloat a) {
    return os << a.ToFloat();
  }

 private:
  template <typename T>
  friend class std::numeric_limits;

  static constexpr int kSign = kIsPower ? 0 : 1 << kMagnitudeBits;
  static constexpr int kMask = (1 << kBits) - 1;
  static constexpr int kMaxMagnitude = (1 << kMagnitudeBits) - 1;
  // The code of the largest finite magnitude.
  static constexpr int kMaxFinite =
      kKind == MiniFloatKind::kIeee
          ? (((1 << kExponentBits) - 1) << kMantissaBits) - 1
      : kKind == MiniFloatKind::kFiniteNan || kIsPower ? kMaxMagnitude - 1
                                                       : kMaxMagnitude;
  // The positive quiet NaN; kFinite, which has none, uses the code of -0.
  static constexpr int kNan =
      kKind == MiniFloatKind::kIeee
          ? (kMaxFinite + 1) |
                (kMantissaBits > 0 ? 1 << (kMantissaBits - 1) : 0)
      : kKind == MiniFloatKind::kFiniteNan || kIsPower ? kMaxMagnitude
                                                       : kSign;

  static constexpr Rep Nan(bool negative) {
    if constexpr (kIsPower || kKind == MiniFloatKind::kUnsignedZero) {
      return kNan;
    }
    return static_cast<Rep>(negative ? kNan ^ kSign : kNan);
  }
  static constexpr Rep Overflow(bool negative) {
    if constexpr (kKind == MiniFloatKind::kIeee) {
      return static_cast<Rep>((kMaxFinite + 1) | (negative ? kSign : 0));
    }
    if constexpr (kKind == MiniFloatKind::kFinite) {
      return static_cast<Rep>(kMaxFinite | (negative ? kSign : 0));
    }
    return Nan(negative);
  }
  static constexpr Rep Zero(bool negative) {
    if constexpr (kIsPower) return kNan;
    if constexpr (kKind == MiniFloatKind::kUnsignedZero) return 0;
    return static_cast<Rep>(negative ? kSign : 0);
  }

  constexpr bool IsSpecial(bool infinity) const {
    const int magnitude = rep_ & kMaxMagnitude;
    if constexpr (kKind == MiniFloatKind::kIeee) {
      return infinity ? magnitude == kMaxFinite + 1
                      : magnitude > kMaxFinite + 1;
    }
    if constexpr (kKind == MiniFloatKind::kUnsignedZero) {
      return !infinity && (rep_ & kMask) == kSign;
    }
    return !infinity && magnitude > kMaxFinite;
  }

  template <typename T>
  static constexpr Rep FromNumber(T value);
  template <typename U, int kSourceMantissaBits>
  static constexpr Rep FromFloatBits(U bits);

  Rep rep_ = 0;
};

// `bits` are those of an IEEE number with kSourceMantissaBits, wider than this
// format.
template <int kE, int kM, int kBias, MiniFloatKind kK>
template <typename U, int kSourceMantissaBits>
constexpr auto MiniFloat<kE, kM, kBias, kK>::FromFloatBits(U bits) -> Rep {
  constexpr int kSourceBits = sizeof(U) * 8;
  constexpr int kSourceBias =
      (1 << (kSourceBits - kSourceMantissaBits - 2)) - 1;
  constexpr U kHidden = U{1} << kSourceMantissaBits;
  constexpr U kInfinity = U{2 * kSourceBias + 1} << kSourceMantissaBits;
  const bool negative = (bits >> (kSourceBits - 1)) != 0;
  const U magnitude = bits & ~(U{1} << (kSourceBits - 1));
  if (magnitude > kInfinity) return Nan(negative);
  if (magnitude == kInfinity) return Overflow(negative);
  if (magnitude == 0) return Zero(negative);
  if (kIsPower && negative) return Nan(true);

  // value = significand * 2^(exponent - kSourceMantissaBits), where
  // significand is in [kHidden, 2 kHidden).
  U significand = magnitude & (kHidden - 1);
  int exponent = static_cast<int>(magnitude >> kSourceMantissaBits);
  if (exponent == 0) {
    const int shift =
        std::countl_zero(significand) - (kSourceBits - 1 - kSourceMantissaBits);
    significand <<= shift;
    exponent = 1 - shift;
  } else {
    significand |= kHidden;
  }
  exponent -= kSourceBias;

  constexpr int kMinExponent = kIsPower ? -kBias : 1 - kBias;
  int drop = kSourceMantissaBits - kM;
  int code = 0;  // The exponent code, less what the hidden bit adds.
  if (exponent >= kMinExponent) {
    if (exponent > kMaxFinite) return Overflow(negative);
    code = (exponent - kMinExponent) << kM;
  } else if constexpr (kIsPower) {
    return 0;  // There is no zero: round to the smallest power of two.
  } else {
    drop += kMinExponent - exponent;
    if (drop > kSourceMantissaBits + 1) return Zero(negative);
  }
  const U half = U{1} << (drop - 1);
  const U rest = significand & (2 * half - 1);
  const int kept = static_cast<int>(significand >> drop);
  code += kept - (kIsPower ? 1 : 0);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++code;
  // ml_dtypes and XLA round up everything between the two smallest powers.
  if (kIsPower && exponent == kMinExponent && rest != 0) code = 1;
  if (code > kMaxFinite) return Overflow(negative);
  if (!kIsPower && code == 0) return Zero(negative);
  return static_cast<Rep>(code | (negative ? kSign : 0));
}

template <int kE, int kM, int kBias, MiniFloatKind kK>
template <typename T>
constexpr auto MiniFloat<kE, kM, kBias, kK>::FromNumber(T value) -> Rep {
  if constexpr (std::is_same_v<T, float>) {
    return FromFloatBits<uint32_t, 23>(std::bit_cast<uint32_t>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 8, "long double is not supported");
    return FromFloatBits<uint64_t, 52>(std::bit_cast<uint64_t>(value));
  } else if constexpr (sizeof(T) < 8) {
    return FromNumber(static_cast<double>(value));
  } else {
    // Collect the low bits of numbers above 2^53 in one sticky bit, so that
    // rounding to double cannot change how this format rounds.
    const bool negative = value < 0;
    const uint64_t magnitude = negative
                                   ? uint64_t{0} - static_cast<uint64_t>(value)
                                   : static_cast<uint64_t>(value);
    double rounded = static_cast<double>(magnitude);
    if (magnitude >> 53 != 0) {
      const bool sticky = (magnitude & 0x7ff) != 0;
      rounded =
          static_cast<double>((magnitude >> 11) | (sticky ? 1 : 0)) * 2048;
    }
    return FromNumber(negative ? -rounded : rounded);
  }
}

template <int kE, int kM, int kBias, MiniFloatKind kK>
constexpr float MiniFloat<kE, kM, kBias, kK>::ToFloat() const {
  if constexpr (kE == 8 && kM == 7) {
    return std::bit_cast<float>(uint32_t{rep_} << 16);
  }
  const uint32_t sign = (rep_ & kSign) != 0 ? 0x80000000u : 0u;
  if (IsSpecial(false)) {
    constexpr int kToQuiet = kK == MiniFloatKind::kIeee ? 23 - kM : 0;
    const uint32_t payload =
        kToQuiet == 0 ? 0 : (uint32_t{rep_} & ((1u << kM) - 1)) << kToQuiet;
    return std::bit_cast<float>(sign | 0x7fc00000u | payload);
  }
  if (IsSpecial(true)) return std::bit_cast<float>(sign | 0x7f800000u);
  const uint32_t magnitude = rep_ & kMaxMagnitude;
  uint32_t mantissa = magnitude & ((1u << kM) - 1);
  int exponent = static_cast<int>(magnitude >> kM);
  if constexpr (kIsPower) {
    if (exponent == 0) return std::bit_cast<float>(0x00400000u);  // 2^-127
  } else if (exponent == 0) {
    if (mantissa == 0) return std::bit_cast<float>(sign);
    const int shift = std::countl_zero(mantissa) - (31 - kM);
    mantissa = (mantissa << shift) & ((1u << kM) - 1);
    exponent = 1 - shift;
  }
  return std::bit_cast<float>(
      sign | (static_cast<uint32_t>(exponent - kBias + 127) << 23) |
      (mantissa << (23 - kM)));
}

}  // namespace xla

template <int kE, int kM, int kBias, xla::MiniFloatKind kK>
struct std::hash<xla::MiniFloat<kE, kM, kBias, kK>> {
  size_t operator()(xla::MiniFloat<kE, kM, kBias, kK> a) const {
    return std::hash<float>()(a.ToFloat());
  }
};

#endif  // XLA_BASE_MINI_FLOAT_H_
