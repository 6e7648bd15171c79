// Integer arithmetic that detects overflow, and rounding of quotients.
#ifndef XLA_BASE_CHECKED_MATH_H_
#define XLA_BASE_CHECKED_MATH_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla {

// Return nullopt when the result does not fit in T.
template <std::integral T>
constexpr std::optional<T> OverflowSafeAdd(T a, T b) {
  T result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}
constexpr std::optional<int64_t> CheckedAdd(int64_t a, int64_t b) {
  return OverflowSafeAdd(a, b);
}
constexpr std::optional<int64_t> CheckedSubtract(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}
constexpr std::optional<int64_t> CheckedMultiply(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}
// Returns the product of all factors; 1 if there are none. A zero among them
// makes the product 0 even if the others overflow.
std::optional<int64_t> CheckedProduct(absl::Span<const int64_t> factors);

// Like the functions above, but return InvalidArgument "<what>: <a> + <b> does
// not fit in 64 bits".
absl::StatusOr<int64_t> AddOrError(int64_t a, int64_t b,
                                   absl::string_view what);
absl::StatusOr<int64_t> MultiplyOrError(int64_t a, int64_t b,
                                        absl::string_view what);
absl::StatusOr<int64_t> ProductOrError(absl::Span<const int64_t> factors,
                                       absl::string_view what);

// Returns the product of two nonnegative numbers; -1 on overflow or if either
// is negative.
constexpr int64_t MultiplyWithoutOverflow(int64_t a, int64_t b) {
  if (a < 0 || b < 0) return -1;
  return CheckedMultiply(a, b).value_or(-1);
}

// Return the 64-bit number nearest to the sum and to the product.
constexpr int64_t SaturatingAdd(int64_t a, int64_t b) {
  constexpr auto kLimits = std::numeric_limits<int64_t>();
  return CheckedAdd(a, b).value_or(a > 0 ? kLimits.max() : kLimits.min());
}
constexpr int64_t SaturatingMultiply(int64_t a, int64_t b) {
  constexpr auto kLimits = std::numeric_limits<int64_t>();
  return CheckedMultiply(a, b).value_or((a > 0) == (b > 0) ? kLimits.max()
                                                           : kLimits.min());
}

// Returns the unchecked product of dimension sizes that were checked before.
constexpr int64_t Product(absl::Span<const int64_t> factors) {
  uint64_t product = 1;
  for (int64_t factor : factors) product *= static_cast<uint64_t>(factor);
  return static_cast<int64_t>(product);
}
// Returns the product of sizes[d] for each d in `dimensions`.
constexpr int64_t Product(absl::Span<const int64_t> sizes,
                          absl::Span<const int64_t> dimensions) {
  uint64_t product = 1;
  for (int64_t d : dimensions) product *= static_cast<uint64_t>(sizes[d]);
  return static_cast<int64_t>(product);
}

// Return the quotient rounded up and down; `divisor` is positive.
template <std::integral T>
constexpr T CeilOfRatio(T dividend, std::type_identity_t<T> divisor) {
  const T quotient = dividend / divisor;
  return quotient + (dividend % divisor > 0 ? 1 : 0);
}
template <std::integral T>
constexpr T FloorOfRatio(T dividend, std::type_identity_t<T> divisor) {
  const T quotient = dividend / divisor;
  return quotient - (dividend % divisor < 0 ? 1 : 0);
}
// Return the next multiple of `divisor`, which is positive, up and down.
template <std::integral T>
constexpr T RoundUpTo(T value, std::type_identity_t<T> divisor) {
  return CeilOfRatio(value, divisor) * divisor;
}
template <std::integral T>
constexpr T RoundDownTo(T value, std::type_identity_t<T> divisor) {
  return FloorOfRatio(value, divisor) * divisor;
}

// Returns a value whose low `width` bits are set; width is at most T's.
template <std::unsigned_integral T>
constexpr T LsbMask(int width) {
  return width <= 0 ? T{0}
                    : static_cast<T>(static_cast<T>(-1) >>
                                     (static_cast<int>(sizeof(T)) * 8 - width));
}
// Return floor and ceiling of log2(x), as bit positions; -1 for 0.
template <std::unsigned_integral T>
constexpr int Log2Floor(T x) {
  return static_cast<int>(std::bit_width(x)) - 1;
}
template <std::unsigned_integral T>
constexpr int Log2Ceiling(T x) {
  return x == 0 ? -1 : static_cast<int>(std::bit_width(static_cast<T>(x - 1)));
}
constexpr bool IsPowerOfTwo(int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

}  // namespace xla

#endif  // XLA_BASE_CHECKED_MATH_H_
