// Helpers for containers and pointers, under the names of xla/util.h.
#ifndef COMPAT_XLA_UTIL_CONTAINERS_H_
#define COMPAT_XLA_UTIL_CONTAINERS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"

namespace xla {

using Vector2 = std::array<int64_t, 2>;
using Vector3 = std::array<int64_t, 3>;

// Whether both have the same elements in the same order, as many of them.
template <typename A, typename Element = typename A::value_type>
bool ContainersEqual(const A& a, std::initializer_list<Element> b) {
  return absl::c_equal(a, b);
}
template <typename A, typename B>
bool ContainersEqual(const A& a, const B& b) {
  return absl::c_equal(a, b);
}
template <typename A, typename B, typename Predicate>
bool ContainersEqual(const A& a, const B& b, Predicate predicate) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b),
                    predicate);
}

// The index of the first element that equals `value`, or the size.
template <typename Container, typename Value>
int64_t PositionInContainer(const Container& container, const Value& value) {
  return std::distance(container.begin(), absl::c_find(container, value));
}
template <typename Container, typename Value>
int64_t FindIndex(const Container& container, Value&& value) {
  return PositionInContainer(container, value);
}

template <typename Container, typename Value>
void InsertAt(Container* container, int64_t index, Value&& value) {
  container->insert(container->begin() + index, std::forward<Value>(value));
}
template <typename Container>
void EraseAt(Container* container, int64_t index) {
  container->erase(container->begin() + index);
}
// Erases the first element that equals `value`. Returns false if none does.
template <typename Container, typename T>
bool EraseElementFromVector(Container* container, const T& value) {
  const auto found = std::find(container->begin(), container->end(), value);
  if (found == container->end()) return false;
  container->erase(found);
  return true;
}
// Returns the elements whose indices are not among these, which ascend.
template <typename Container>
Container RemoveElements(absl::Span<const int64_t> sorted_ids_to_remove,
                         const Container& container) {
  Container kept;
  auto removed = sorted_ids_to_remove.begin();
  int64_t i = 0;
  for (const auto& element : container) {
    if (removed != sorted_ids_to_remove.end() && *removed == i++) {
      ++removed;
    } else {
      kept.push_back(element);
    }
  }
  return kept;
}

template <typename T>
std::vector<T> SpanToVector(absl::Span<const T> slice) {
  return {slice.begin(), slice.end()};
}
template <typename T, size_t kInlined>
std::vector<T> InlinedVectorToVector(
    const absl::InlinedVector<T, kInlined>& v) {
  return {v.begin(), v.end()};
}

// Copies `count` elements, of which each is so many after the one before.
template <typename D, typename S>
void StridedCopy(D* dest, int64_t dest_stride, const S* src, int64_t src_stride,
                 int64_t count) {
  for (; count > 0; --count, dest += dest_stride, src += src_stride) {
    *dest = static_cast<D>(*src);
  }
}

template <typename T>
absl::Span<const uint8_t> CastToByteSlice(absl::Span<const T> slice) {
  return {reinterpret_cast<const uint8_t*>(slice.data()),
          slice.size() * sizeof(T)};
}
// The size is a multiple of T's.
template <typename T>
absl::Span<const T> CastByteSlice(absl::Span<const uint8_t> slice) {
  CHECK_EQ(slice.size() % sizeof(T), 0u);
  return {reinterpret_cast<const T*>(slice.data()), slice.size() / sizeof(T)};
}

// The elements as text, separated by ", ".
template <typename Container>
std::string CommaSeparatedString(const Container& container,
                                 const char* prefix = "",
                                 const char* suffix = "") {
  std::string text = prefix;
  bool is_first = true;
  for (const auto& element : container) {
    const absl::string_view separator = is_first ? "" : ", ";
    if constexpr (std::is_same_v<std::decay_t<decltype(element)>,
                                 std::string_view>) {
      // Debian's absl::string_view is a class of its own.
      absl::StrAppend(&text, separator,
                      absl::string_view(element.data(), element.size()));
    } else {
      absl::StrAppend(&text, separator, element);
    }
    is_first = false;
  }
  return text + suffix;
}
template <typename T = int>
std::string CommaSeparatedString(std::initializer_list<T> list,
                                 const char* prefix = "",
                                 const char* suffix = "") {
  return CommaSeparatedString(absl::MakeConstSpan(list.begin(), list.size()),
                              prefix, suffix);
}
// "(1, 3, 7)".
template <typename Container>
std::string VectorString(const Container& container) {
  return CommaSeparatedString(container, "(", ")");
}
template <typename T = int>
std::string VectorString(std::initializer_list<T> list) {
  return CommaSeparatedString(list, "(", ")");
}

inline std::vector<int64_t> ElemwiseProduct(absl::Span<const int64_t> a,
                                            absl::Span<const int64_t> b) {
  CHECK_EQ(a.size(), b.size());
  std::vector<int64_t> products(a.size());
  for (size_t i = 0; i < a.size(); ++i) products[i] = a[i] * b[i];
  return products;
}

// Whether the numbers, which are distinct, are all between two of them.
inline bool DistinctNumbersAreConsecutiveIfSorted(
    absl::Span<const int64_t> numbers) {
  if (numbers.empty()) return true;
  const auto [least, most] =
      std::minmax_element(numbers.begin(), numbers.end());
  return *most - *least == static_cast<int64_t>(numbers.size()) - 1;
}

template <typename T>
constexpr std::underlying_type_t<T> to_underlying(T value) noexcept {
  return static_cast<std::underlying_type_t<T>>(value);
}

// The object is a Derived.
template <typename Derived, typename Base>
std::unique_ptr<Derived> unique_ptr_down_cast(std::unique_ptr<Base> ptr) {
  return std::unique_ptr<Derived>(static_cast<Derived*>(ptr.release()));
}

}  // namespace xla

#endif  // COMPAT_XLA_UTIL_CONTAINERS_H_
