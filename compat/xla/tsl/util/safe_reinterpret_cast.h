// safe_reinterpret_cast: only between types for which the result has a meaning.
#ifndef COMPAT_XLA_TSL_UTIL_SAFE_REINTERPRET_CAST_H_
#define COMPAT_XLA_TSL_UTIL_SAFE_REINTERPRET_CAST_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tsl {
namespace safe_reinterpret_cast_internal {

template <typename T>
inline constexpr bool kIsByte =
    std::is_same_v<T, char> || std::is_same_v<T, unsigned char> ||
    std::is_same_v<T, std::byte>;

template <typename T>
inline constexpr bool kIsAddress =
    std::is_same_v<T, std::intptr_t> || std::is_same_v<T, std::uintptr_t>;

// Without const and volatile, of what is pointed to.
template <typename T>
using Pointee = std::remove_cv_t<std::remove_pointer_t<std::remove_cv_t<T>>>;

template <typename From, typename To>
inline constexpr bool kIsAllowed =
    std::is_pointer_v<From> && std::is_pointer_v<To>
        ? kIsByte<Pointee<From>> || kIsByte<Pointee<To>> ||
              std::is_same_v<Pointee<From>, Pointee<To>>
        : (std::is_pointer_v<From> && kIsAddress<To>) ||
              (kIsAddress<From> && std::is_pointer_v<To>) ||
              std::is_same_v<From, To>;

}  // namespace safe_reinterpret_cast_internal

// Casts between pointers of which one is to bytes, between a pointer and an
// integer of its size, and from a type to itself; others do not compile.
template <typename To, typename From>
  requires safe_reinterpret_cast_internal::kIsAllowed<From, To>
To safe_reinterpret_cast(From from) {
  return reinterpret_cast<To>(from);
}

}  // namespace tsl

#endif  // COMPAT_XLA_TSL_UTIL_SAFE_REINTERPRET_CAST_H_
