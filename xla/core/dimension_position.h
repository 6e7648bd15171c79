// The position of a dimension in a list of dimension numbers.
#ifndef XLA_CORE_DIMENSION_POSITION_H_
#define XLA_CORE_DIMENSION_POSITION_H_

#include <algorithm>
#include <cstdint>

namespace xla {

// The index of the first `dimension` in `list`, any container of integers; -1
// if it is not there.
template <typename List>
int64_t PositionOf(const List& list, int64_t dimension) {
  const auto it = std::find(list.begin(), list.end(), dimension);
  return it == list.end() ? -1 : static_cast<int64_t>(it - list.begin());
}

}  // namespace xla

#endif  // XLA_CORE_DIMENSION_POSITION_H_
