// Nested initializer lists, from which arrays are made: their sizes and their
// values in order.
#ifndef XLA_CORE_ARRAY_ARRAY_LISTS_H_
#define XLA_CORE_ARRAY_ARRAY_LISTS_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "xla/base/logging.h"

namespace xla {

// Lists of lists. Not for templates that deduce the element type: some
// compilers do not deduce it through these names.
template <typename T>
using NestedList2 = std::initializer_list<std::initializer_list<T>>;
template <typename T>
using NestedList3 = std::initializer_list<NestedList2<T>>;
template <typename T>
using NestedList4 = std::initializer_list<NestedList3<T>>;

// Appends the sizes of nested lists, taken from the first element of each.
template <typename Element>
void AppendListSizes(const Element&, std::vector<int64_t>&) {}
template <typename Nested>
void AppendListSizes(const std::initializer_list<Nested>& values,
                     std::vector<int64_t>& sizes) {
  sizes.push_back(static_cast<int64_t>(values.size()));
  if (values.size() != 0) AppendListSizes(*values.begin(), sizes);
}
template <typename Nested>
std::vector<int64_t> ListSizes(const Nested& values) {
  std::vector<int64_t> sizes;
  AppendListSizes(values, sizes);
  return sizes;
}

// Writes the values to `out` and returns where they end, which is not after
// `end` (CHECK).
template <typename T, typename Nested>
T* CopyListValues(const std::initializer_list<Nested>& values, T* out, T* end) {
  for (const Nested& value : values) {
    if constexpr (std::is_convertible_v<Nested, T> ||
                  std::is_arithmetic_v<Nested>) {
      CHECK(out != end) << "rows of an array have different sizes";
      *out++ = static_cast<T>(value);
    } else {
      out = CopyListValues(value, out, end);
    }
  }
  return out;
}

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY_LISTS_H_
