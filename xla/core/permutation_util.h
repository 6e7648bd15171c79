// Permutations of dimension numbers, and of containers.
#ifndef XLA_CORE_PERMUTATION_UTIL_H_
#define XLA_CORE_PERMUTATION_UTIL_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"

namespace xla {

// True when each of 0..n-1 occurs once.
inline bool IsPermutation(absl::Span<const int64_t> permutation) {
  const int64_t size = permutation.size();
  absl::InlinedVector<bool, 16> seen(size, false);
  for (int64_t value : permutation) {
    if (value < 0 || value >= size || seen[value]) return false;
    seen[value] = true;
  }
  return true;
}

// Returns result[i] = input[permutation[i]]. CHECKs that sizes agree.
template <typename Container>
std::vector<typename Container::value_type> Permute(
    const Container& input, absl::Span<const int64_t> permutation) {
  CHECK(input.size() == permutation.size() && IsPermutation(permutation));
  std::vector<typename Container::value_type> result;
  result.reserve(permutation.size());
  for (int64_t from : permutation) result.push_back(input[from]);
  return result;
}

// Returns result[permutation[i]] = input[i]. CHECKs that sizes agree.
template <typename Container = std::vector<int64_t>>
Container PermuteInverse(absl::Span<const typename Container::value_type> input,
                         absl::Span<const int64_t> permutation) {
  CHECK(input.size() == permutation.size() && IsPermutation(permutation));
  Container result(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    result[permutation[i]] = input[i];
  }
  return result;
}

template <typename Container = std::vector<int64_t>>
Container InversePermutation(absl::Span<const int64_t> permutation) {
  CHECK(IsPermutation(permutation));
  Container result(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) result[permutation[i]] = i;
  return result;
}

// Returns result[i] = p1[p2[i]], which applies p1 and then p2.
template <typename Container = std::vector<int64_t>>
Container ComposePermutations(absl::Span<const int64_t> p1,
                              absl::Span<const int64_t> p2) {
  CHECK(p1.size() == p2.size() && IsPermutation(p1) && IsPermutation(p2));
  Container result;
  result.reserve(p1.size());
  for (int64_t i : p2) result.push_back(p1[i]);
  return result;
}

template <typename Container = std::vector<int64_t>>
bool IsIdentityPermutation(const Container& permutation) {
  int64_t expected = 0;
  for (const auto value : permutation) {
    if (static_cast<int64_t>(value) != expected++) return false;
  }
  return true;
}

// Moves the element at `from` to `to`; those between make room.
template <typename T>
void MoveSingleElement(absl::Span<T> elements, int64_t from, int64_t to) {
  const int64_t size = elements.size();
  CHECK(from >= 0 && from < size && to >= 0 && to < size);
  const auto at = [&](int64_t i) { return elements.begin() + i; };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
}

}  // namespace xla

#endif  // XLA_CORE_PERMUTATION_UTIL_H_
