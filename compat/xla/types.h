// Properties of native types, under XLA's names.
#ifndef COMPAT_XLA_TYPES_H_
#define COMPAT_XLA_TYPES_H_

#include <cstdint>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "xla/base/int_n.h"
#include "xla/base/type_aliases.h"  // IWYU pragma: export
#include "xla/base/types.h"         // IWYU pragma: export

namespace stream_executor {}

namespace xla {

namespace se = ::stream_executor;

// The integer of the same width that is signed or unsigned, also for the types
// narrower than a byte.
template <typename T>
struct make_specialized_unsigned {
  using type = std::make_unsigned_t<T>;
};
template <int kBits, bool kSigned>
struct make_specialized_unsigned<IntN<kBits, kSigned>> {
  using type = IntN<kBits, false>;
};
template <typename T>
using make_specialized_unsigned_t = typename make_specialized_unsigned<T>::type;

template <typename T>
struct make_specialized_signed {
  using type = std::make_signed_t<T>;
};
template <int kBits, bool kSigned>
struct make_specialized_signed<IntN<kBits, kSigned>> {
  using type = IntN<kBits, true>;
};
template <typename T>
using make_specialized_signed_t = typename make_specialized_signed<T>::type;

// Whether a type has a zero, and a zero with a sign.
template <typename T>
struct has_zero : std::bool_constant<!std::is_same_v<T, float8_e8m0fnu>> {};
template <typename T>
inline constexpr bool has_zero_v = has_zero<T>::value;
template <typename T>
struct has_negative_zero
    : std::bool_constant<is_specialized_floating_point_v<T> && has_zero_v<T> &&
                         !std::is_same_v<T, float8_e4m3b11fnuz> &&
                         !std::is_same_v<T, float8_e4m3fnuz> &&
                         !std::is_same_v<T, float8_e5m2fnuz>> {};
template <typename T>
inline constexpr bool has_negative_zero_v = has_negative_zero<T>::value;

// Lets Abseil's functions on strings print integers narrower than a byte.
template <typename Sink, typename T,
          std::enable_if_t<is_intN_v<T>, bool> = true>
void AbslStringify(Sink& sink, const T& value) {
  sink.Append(absl::StrCat(static_cast<int>(value)));
}

}  // namespace xla

#endif  // COMPAT_XLA_TYPES_H_
