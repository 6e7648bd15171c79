// std::numeric_limits of the MiniFloat formats.
#ifndef XLA_BASE_MINI_FLOAT_LIMITS_H_
#define XLA_BASE_MINI_FLOAT_LIMITS_H_

#include <limits>

#include "xla/base/mini_float.h"

// In formats without infinity or NaN, infinity() is what overflow gives and
// quiet_NaN() what NaN becomes.
template <int kE, int kM, int kBias, xla::MiniFloatKind kK>
class std::numeric_limits<xla::MiniFloat<kE, kM, kBias, kK>> {
  using T = xla::MiniFloat<kE, kM, kBias, kK>;
  using Rep = typename T::Rep;
  static constexpr bool kIsPower = kK == xla::MiniFloatKind::kPower;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = !kIsPower;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = kK == xla::MiniFloatKind::kIeee;
  static constexpr bool has_quiet_NaN = kK != xla::MiniFloatKind::kFinite;
  static constexpr bool has_signaling_NaN = has_infinity;
  static constexpr bool has_denorm_loss = false;
  static constexpr float_denorm_style has_denorm =
      kIsPower ? denorm_absent : denorm_present;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr bool is_iec559 =
      kK == xla::MiniFloatKind::kIeee && kE == 5 && kM == 10;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr int radix = 2;
  static constexpr int digits = kM + 1;
  static constexpr int digits10 = kM * 30103 / 100000;
  static constexpr int max_digits10 = digits * 30103 / 100000 + 2;
  static constexpr int min_exponent = (kIsPower ? 1 : 2) - kBias;
  static constexpr int max_exponent = (T::kMaxFinite >> kM) - kBias + 1;

  static constexpr T min() {
    return T::FromRep(static_cast<Rep>(kIsPower ? 0 : 1 << kM));
  }
  static constexpr T max() {
    return T::FromRep(static_cast<Rep>(T::kMaxFinite));
  }
  static constexpr T lowest() { return kIsPower ? min() : -max(); }
  static constexpr T epsilon() { return T(1.0f / (1 << kM)); }
  static constexpr T round_error() { return T(0.5f); }
  static constexpr T infinity() { return T::FromRep(T::Overflow(false)); }
  static constexpr T quiet_NaN() { return T::FromRep(T::Nan(false)); }
  static constexpr T signaling_NaN() {
    return has_signaling_NaN
               ? T::FromRep(static_cast<Rep>(T::kMaxFinite + 1 +
                                             (kM > 1 ? 1 << (kM - 2) : 1)))
               : quiet_NaN();
  }
  static constexpr T denorm_min() {
    return T::FromRep(static_cast<Rep>(kIsPower ? 0 : 1));
  }

 private:
  // Returns the largest n with 10^n <= x.
  static constexpr int FloorLog10(double x) {
    int n = 0;
    for (; x >= 10; x /= 10) ++n;
    for (; x < 1; x *= 10) --n;
    return n;
  }

 public:
  static constexpr int max_exponent10 = FloorLog10(max().ToFloat());
  static constexpr int min_exponent10 =
      FloorLog10(min().ToFloat()) + (min().ToFloat() == 1.0f ? 0 : 1);
};

#endif  // XLA_BASE_MINI_FLOAT_LIMITS_H_
