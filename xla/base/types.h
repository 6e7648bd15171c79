// The native types of array elements, and predicates on them.
#ifndef XLA_BASE_TYPES_H_
#define XLA_BASE_TYPES_H_

#include <complex>
#include <limits>
#include <type_traits>

#include "xla/base/float_types.h"
#include "xla/base/int_n.h"

namespace xla {

using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

template <typename T>
struct is_complex : std::false_type {};
template <typename T>
struct is_complex<std::complex<T>> : std::true_type {};
template <typename T>
inline constexpr bool is_complex_v = is_complex<T>::value;

// True for floating-point types of any width: float, double and the small
// formats.
template <typename T>
inline constexpr bool is_specialized_floating_point_v =
    std::numeric_limits<T>::is_specialized &&
    !std::numeric_limits<T>::is_integer;

// True for integers of any width, and bool.
template <typename T>
inline constexpr bool is_specialized_integral_v =
    std::numeric_limits<T>::is_specialized &&
    std::numeric_limits<T>::is_integer;

template <typename T>
struct is_specialized_floating_point
    : std::bool_constant<is_specialized_floating_point_v<T>> {};
template <typename T>
struct is_specialized_integral
    : std::bool_constant<is_specialized_integral_v<T>> {};

}  // namespace xla

#endif  // XLA_BASE_TYPES_H_
