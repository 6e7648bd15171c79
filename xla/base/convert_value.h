// Converts one number between any two element types, as HLO's convert does.
#ifndef XLA_BASE_CONVERT_VALUE_H_
#define XLA_BASE_CONVERT_VALUE_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "xla/base/types.h"

namespace xla {
namespace convert_internal {

// Returns `value` truncated towards zero, saturated at the limits of To; 0 for
// NaN.
template <typename To, typename From>
constexpr To Saturate(From value) {
  using Limits = std::numeric_limits<To>;
  // 2^digits is the first number past the highest and, unlike the highest
  // itself, exact in float.
  constexpr From kEnd =
      static_cast<From>(To{1} << (Limits::digits - 1)) * From{2};
  if (value != value) return To{0};
  if (value >= kEnd) return Limits::max();
  if (value <= static_cast<From>(Limits::min())) return Limits::min();
  return static_cast<To>(value);
}

}  // namespace convert_internal

// Converts to pred (bool): whether `from` (of complex numbers, the real part)
// differs from 0; NaN does. Float to integer: truncates towards zero and
// saturates; NaN becomes 0. Integer to integer: keeps the low bits,
// sign-extending `from`. To float: rounds the exact value once, to nearest
// even. Complex to real: takes the real part. Real to complex: the imaginary
// part is 0.
template <typename To, typename From>
constexpr To ConvertValue(From from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (is_complex_v<From>) {
    if constexpr (is_complex_v<To>) {
      using Part = typename To::value_type;
      return To(static_cast<Part>(from.real()), static_cast<Part>(from.imag()));
    } else {
      return ConvertValue<To>(from.real());
    }
  } else if constexpr (is_mini_float_v<From>) {
    return ConvertValue<To>(from.ToFloat());
  } else if constexpr (is_intN_v<From>) {
    return ConvertValue<To>(from.value());
  } else if constexpr (is_complex_v<To>) {
    return To(ConvertValue<typename To::value_type>(from));
  } else if constexpr (std::is_same_v<To, bool>) {
    return from != From{0};
  } else if constexpr (std::is_floating_point_v<From> &&
                       std::is_integral_v<To>) {
    return convert_internal::Saturate<To>(from);
  } else {
    return static_cast<To>(from);
  }
}

}  // namespace xla

#endif  // XLA_BASE_CONVERT_VALUE_H_
