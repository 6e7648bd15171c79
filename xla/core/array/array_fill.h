// Values that arrays are filled with: sequences, and random numbers that are
// the same for the same seed.
#ifndef XLA_CORE_ARRAY_ARRAY_FILL_H_
#define XLA_CORE_ARRAY_ARRAY_FILL_H_

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "absl/types/span.h"
#include "xla/base/types.h"

namespace xla {

// Writes start, start + 1, ..., and starts again after every `length`.
template <typename T>
void FillSequence(absl::Span<T> elements, T start, int64_t length) {
  T value = start;
  int64_t left = length;
  for (T& element : elements) {
    element = value;
    value = static_cast<T>(value + static_cast<T>(1));
    if (--left > 0) continue;
    value = start;
    left = length;
  }
}

// Writes normally distributed numbers: both parts of complex ones, and whether
// the number is positive for bool.
template <typename T>
void FillNormal(absl::Span<T> elements, double stddev, double mean, int seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal(mean, stddev);
  for (T& element : elements) {
    if constexpr (is_complex_v<T>) {
      using Part = typename T::value_type;
      const Part real = static_cast<Part>(normal(engine));
      element = T(real, static_cast<Part>(normal(engine)));
    } else if constexpr (std::is_same_v<T, bool>) {
      element = normal(engine) > 0;
    } else {
      element = static_cast<T>(normal(engine));
    }
  }
}

// Returns the spread of FillNormal that `stddev` stands for.
template <typename T>
double NormalSpread(const T& stddev) {
  if constexpr (is_complex_v<T>) {
    return static_cast<double>(stddev.real());
  } else {
    return static_cast<double>(stddev);
  }
}

// Writes integers from `low` to `high`, both included, or floating-point
// numbers in [low, high).
template <typename T>
void FillUniform(absl::Span<T> elements, T low, T high, int seed) {
  // The standard distributions know the integers of the language alone.
  using Wide =
      std::conditional_t<std::numeric_limits<T>::is_signed, int64_t, uint64_t>;
  using Integer = std::conditional_t<std::is_integral_v<T>, T, Wide>;
  constexpr bool kIsInteger = std::numeric_limits<T>::is_integer;
  using Number = std::conditional_t<kIsInteger, Integer, double>;
  using Distribution =
      std::conditional_t<kIsInteger, std::uniform_int_distribution<Integer>,
                         std::uniform_real_distribution<double>>;
  std::mt19937 engine(seed);
  Distribution uniform(static_cast<Number>(low), static_cast<Number>(high));
  for (T& element : elements) element = static_cast<T>(uniform(engine));
}

// Writes true and false, each half of the time.
template <typename T>
void FillCoins(absl::Span<T> elements, int seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int32_t> coin(0, 1);
  for (T& element : elements) element = static_cast<T>(coin(engine) != 0);
}

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY_FILL_H_
